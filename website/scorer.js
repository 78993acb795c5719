// Sphinx's search asks this how much a page matters (its own values, except that lessons come first).
"use strict";

var Scorer = {
  score: ([page, , , , score]) => score + (/^lessons\/\d\d_/.test(page) ? 12 : 0) - (page === "CONTRIBUTING" ? 4 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
