// Panels of which one is shown, chosen by tabs.
import { html } from "./element";

export class Tabs {
  readonly element = html("div", { class: "tabs", attributes: { role: "tablist", "aria-label": "Details" } });
  private readonly tabs: HTMLButtonElement[] = [];
  private readonly panels: HTMLElement[] = [];

  add(id: string, title: string, content: HTMLElement): void {
    const place = this.tabs.length;
    const tab = html(
      "button",
      { attributes: { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` } },
      title,
    );
    tab.addEventListener("click", () => this.show(id));
    tab.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (by === 0) return;
      const next = this.tabs[(place + by + this.tabs.length) % this.tabs.length]!;
      next.click();
      next.focus();
    });
    const attributes = { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, tabindex: 0 };
    this.tabs.push(tab);
    this.panels.push(html("div", { class: "tabpanel", attributes }, content));
    this.element.append(tab);
  }

  get contents(): readonly HTMLElement[] {
    return this.panels;
  }

  show(id: string): void {
    this.tabs.forEach((tab, i) => {
      const chosen = tab.id === `tab-${id}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      this.panels[i]!.hidden = !chosen;
    });
  }
}
