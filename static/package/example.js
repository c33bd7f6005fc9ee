import { Hush } from "../hush.js"; // in a program of yours: from "hush-engine"

async function ask(show) {
  const hush = await Hush.open();
  const file = new Blob([await hush.sample("clinic")]); // made-up patients; else a file that somebody chose
  const opening = await hush.file(file);
  const recipe = {
    version: 1, task: "mean", table: opening.options, column: 1,
    domain: { kind: "integer", lo: "0", hi: "110" }, epsilon: "1/10",
  };

  const plan = await hush.price(recipe); // spends nothing
  show(`${plan.guarantee.exact}. ${plan.verdict.text}`);

  const agreed = await hush.claims(recipe); // what the owner of the file has to agree to: here nothing
  const release = await hush.release(recipe, { agreed }); // the ledger has it before anything is drawn
  show(release.statement);

  const { spent, limit } = await hush.ledger();
  show(`Spent on this file in this browser: ε = ${spent} of ${limit.epsilon}.`);
  hush.close();
}

const run = document.getElementById("run");
const shown = document.getElementById("shown");
const show = (text) => shown.append(Object.assign(document.createElement("p"), { textContent: text }));

run.addEventListener("click", async () => {
  run.disabled = true;
  shown.replaceChildren();
  try {
    await ask(show);
  } catch ({ code, message }) {
    show(`${code}: ${message}`);
  }
  run.disabled = false;
  run.focus();
});
run.disabled = false;
