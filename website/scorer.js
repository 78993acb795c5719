// Sphinx's search puts first the page that answers what people ask (asked.txt), then the other lessons.

const wordsOf = (text) => {
  const words = text.toLowerCase().replace(/n['’]t\b/g, " not").match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.map((word) => new Stemmer().stemWord(word)));
};

Scorer.score = ([page, , , , score]) => {
  const sought = wordsOf(new URLSearchParams(location.search).get("q") ?? "");
  const closeness = (asked[page] ?? []).map(wordsOf).map((words) => {
    const shared = [...words].filter((word) => sought.has(word)).length;
    return (2 * shared) / (words.size + sought.size || 1);
  });
  return score + 100 * Math.max(0, ...closeness) + (page.startsWith("lessons/") ? 10 : 0);
};

// It quotes what it finds only where a page may fetch other pages, which isn't so on disk.
DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = location.protocol !== "file:";
