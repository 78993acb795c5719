"""How an op runs. Each of these files is one stage:

session.py             what you call: a Session holds the variables' values and runs programs
feeds_and_fetches.py   checks what goes into a run, and arranges what comes out
steps.py               finds what a run needs, and what each step waits for, reads and changes
order.py               decides in which order the steps come
lowering.py            turns ops into nodes, folding constants and sharing repeated work
nodes.py               the kinds of nodes, and how each is written as code
compiler.py            turns nodes into statements, named after their ops
program.py             the text, the function compiled from it, and running it step by step
blame.py               finds the op that failed, if one did

Beside them, dependencies.py says what an op reads, changes and waits for, watchers.py lets others
see each run, and arithmetic.py sets the processor to calculate as TensorFlow does.
"""
