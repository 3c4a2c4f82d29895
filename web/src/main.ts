// Starts the page.
import { unpack } from "./data";
import { byId, html } from "./element";
import { Explorer } from "./explorer";
import { readPasted } from "./pasted";
import { answer } from "./walk";

declare global {
  interface Window {
    // For scripts that embed the page: what the tree that is shown answers to cases, given as pasted text.
    ramify?: {
      answer(text: string): { answer: string; shares: readonly number[]; path: number[] }[];
      explorer: Explorer;
    };
  }
}

async function start(): Promise<void> {
  const data = await unpack(byId("ramify-data").textContent ?? "");
  const explorer = new Explorer(data);
  window.ramify = {
    explorer,
    answer: (text) =>
      readPasted(data, text).map((values) => {
        const found = answer(explorer.tree, explorer.answers, values);
        const path = [...found.walked.passed.keys()].sort((a, b) => a - b);
        return { answer: data.classes[found.vote]!, shares: found.shares, path };
      }),
  };
  document.documentElement.dataset.ready = "true";
}

start().catch((error: unknown) => {
  const text =
    typeof DecompressionStream === "undefined"
      ? "This page needs a browser of 2023 or later."
      : `The page can't be shown: ${error instanceof Error ? error.message : String(error)}`;
  document.body.prepend(html("p", { class: "notice", attributes: { role: "alert" } }, text));
  throw error;
});
