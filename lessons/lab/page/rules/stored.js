// What can't be computed in the page, such as the runs of a graph, is stored: a picture for each setting.

export function stored(state, { base, held }) {
  const key = JSON.stringify(Object.values(state));
  return Object.hasOwn(held, key) ? patched(base, held[key]) : base;
}

// A picture is stored as its difference from the first one: by key or index, or as [part] where a whole part is new.
export function patched(base, delta) {
  if (Array.isArray(delta)) return delta[0];
  const copy = Array.isArray(base) ? [...base] : { ...base };
  for (const [key, change] of Object.entries(delta)) copy[key] = patched(base[key], change);
  return copy;
}
