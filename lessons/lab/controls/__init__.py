"""What a reader moves or answers: sliders and switches of an explorer, predictions, quizzes."""
