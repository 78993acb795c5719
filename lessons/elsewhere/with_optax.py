"""The experiment in JAX and optax: the count is a part of the state, which each update returns."""

import jax
import jax.numpy as jnp
import optax
from optax import exponential_decay

x = jnp.linspace(1, 2, 10)
w = jnp.array(0.0)
gradient = jax.grad(lambda w: jnp.mean((w * x - x) ** 2))
schedule = exponential_decay(0.1, transition_steps=10, decay_rate=2)
optimizer = optax.sgd(schedule)
state = optimizer.init(w)
for _ in range(10):
    updates, state = optimizer.update(gradient(w), state)
    w = optax.apply_updates(w, updates)
    step = optax.tree.get(state, "count").item()
    print(f"{schedule(step):.6g} {step} {w:.4f}")
