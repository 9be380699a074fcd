// Shows parts of a form as tabs, as the ARIA practices describe them: arrows move between them, and only the chosen part is
// shown and sent.

/** The first one is chosen. @param onChosen by its place in the list */
export function showTabs(
  form: HTMLFormElement,
  panels: readonly HTMLElement[],
  onChosen: (index: number) => void,
): void {
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  const tabs = panels.map((panel, index) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${panel.dataset.way}`;
    tab.setAttribute('role', 'tab');
    tab.textContent = panel.querySelector('legend')?.textContent ?? '';
    panel.id ||= `panel-${panel.dataset.way}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    tab.addEventListener('click', () => choose(index));
    return tab;
  });

  function choose(chosen: number): void {
    for (const [index, tab] of tabs.entries()) {
      const isChosen = index === chosen;
      tab.setAttribute('aria-selected', `${isChosen}`);
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = panels[index];
      if (!panel) continue;
      panel.hidden = !isChosen;
      // A set of fields cannot be the panel itself: it has a role of its own.
      for (const part of panel.querySelectorAll('fieldset')) part.disabled = !isChosen;
    }
    onChosen(chosen);
  }

  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(event.target as HTMLButtonElement);
    const isRtl = getComputedStyle(list).direction === 'rtl';
    const steps: Record<string, number> = {
      ArrowRight: isRtl ? at - 1 : at + 1,
      ArrowLeft: isRtl ? at + 1 : at - 1,
      Home: 0,
      End: -1,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (step + tabs.length) % tabs.length;
    choose(index);
    tabs[index]?.focus();
  });

  list.append(...tabs);
  form.classList.add('tabbed');
  form.prepend(list);
  choose(0);
}
