"""Hand the lessons the figures of TensorFlow that they quote: `python -m tools.quote`.

The figures are those of tests/conformance/facts, which `python -m tools.record` asks
of TensorFlow. The lessons carry a copy of the few that they show, because they are read on their own.
"""

from tests.conformance import transcripts
from tools import json_files

# What a file of lessons/data holds: under each name, a program of a theme of tests/conformance.
QUOTES = {
    "start": {"lines": "six_lines"},
    "graphs_and_runs": {
        "printed": "what_print_shows",
        "ops": "the_operations_of_the_graph",
        "results": "two_results_of_one_graph",
        "part": "a_fetch_that_needs_a_part",
        "forgotten": "a_feed_that_is_forgotten",
        "python": "a_python_print_in_a_function_that_builds",
    },
    "experiment": {
        "with_step": "ten_lines_with_global_step",
        "without": "ten_lines_without_global_step",
        "w_with_step": "weights_with_global_step",
        "w_without": "weights_without_global_step",
    },
    "finding": {
        "created": "before_and_after_one_is_created",
        "again": "a_second_one",
        "unnamed": "an_unnamed_counter_counts_unseen",
        "by_name": "asked_too_early",
        "uninitialized": "the_initializer_made_too_early",
    },
    "memory": {
        "printed": "what_print_shows_of_a_counter",
        "two_runs": "a_counter_after_each_of_two_runs",
        "two_sessions": "a_counter_in_two_sessions",
        "before": "a_counter_before_its_initializer",
        "second_session": "a_second_session_after_three_steps",
        "plus_equals": "plus_equals_in_a_function",
        "explorer": "one_program_line_by_line_in_two_sessions",
    },
    "schedules": {
        "doubled": "a_decay_that_grows",
        "arguments": "each_argument_changed",
        "mistaken": "epochs_taken_for_steps",
        "cured": "epochs_counted_in_steps",
        "eight": "eight_curves",
        "same_name": "one_decay_rate_in_three_schedules",
        "boundary": "jumps_at_a_boundary",
    },
    "divergence": {
        "with_step": "the_posts_loss_with_the_step",
        "without": "the_posts_loss_without_the_step",
        "with_mean": "the_mean_with_the_step",
    },
    "resuming": {
        "names": "names_by_step",
        "inside": "what_is_inside",
        "ten_steps": "ten_steps_with_and_without_a_stop",
        "four_ways": "what_comes_back",
        "adam": "adam_with_and_without_its_variables",
        "lacking": "a_step_that_an_old_checkpoint_lacks",
    },
    "many_workers": {"up": "how_far_up", "limits": "limits_of_delays", "measured": "limits_by_halving"},
    "who_adds_one": {
        "pairs": "the_pairs",
        "waits": "what_the_train_ops_wait_for",
        "built": "what_apply_gradients_builds",
        "edge": "where_the_wait_is",
        "both": "a_no_op_that_counts_twice",
        "beside": "an_increment_beside_the_train_op",
        "var_list": "who_takes_a_list_of_variables",
        "two_updates": "two_updates",
        "double": "two_minimizes_in_one_run",
        "once": "all_pairs_in_one_call",
    },
    "digits": {
        "rate 0.5": "two_thousand_steps",
        "none": "nobody_made_a_step",
        "rate 1.0": "rate_one_counted",
        "sure": "sure_of_an_answer",
        "from the logits": "rate_one_from_logits",
        "first nan": "the_first_nan_of_the_mean",
    },
    "clinic": {"as_they_come": "as_they_come", "repaired": "repaired"},
    "before_or_after": {
        "new": "a_read_that_waits",
        "old": "an_update_that_waits",
        "rates": "the_rate_of_the_step",
        "log": "a_log_that_is_right",
    },
}


def quoted(theme):
    """Return the version of TensorFlow that answered, and what the lessons quote of a theme."""
    figures = {name: transcripts.answers(theme, section) for name, section in QUOTES[theme].items()}
    return transcripts.load(theme).version, figures


def main():
    """Write every file of lessons/data that quotes TensorFlow."""
    for theme in QUOTES:
        json_files.hand_over(theme, *quoted(theme))


if __name__ == "__main__":
    main()
