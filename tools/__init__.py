"""What makes and measures: nothing here is needed to use minitf, to take the lessons, or to run the tests."""
