"""What a picture is made of, as plain data, and the pictures that do not move."""
