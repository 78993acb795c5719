"""How an op runs: each file here is one stage.

session.py             what you call: a Session has the variables' values, and runs programs on them
feeds_and_fetches.py   what goes into a run and what comes out
order.py               what a run needs, and in which order
lowering.py            that becomes nodes: constants are folded, repeated work is shared
nodes.py               the kinds of nodes, and how each is written down
compiler.py            the nodes become statements, named after their ops
program.py             the text, the function that Python makes of it, and running it step by step
blame.py               which op failed, if one did
"""
