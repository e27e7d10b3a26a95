/** Where the search puts what it finds: what to do before what was decided and measured. */
const AFTER =
  /^docs\/(decisions|architecture|maintaining|reference\/.*figures|reference\/benchmarks)|^C/;
const FIRST = /^docs\/guides|^README/;

globalThis.Scorer = {
  score([page, , , , score]) {
    return score + (FIRST.test(page) ? 10 : 0) - (AFTER.test(page) ? 20 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
