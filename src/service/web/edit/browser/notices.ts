// Shows notices above the pages, and tells those who do not see the page what has happened.
import { button, element } from './elements.ts';

export type Notices = {
  /** For screen readers. */
  say(text: string): void;
  /** Stays until it is closed or another takes its place. @param action what can be done about it */
  show(text: string, action?: { label: string; do: () => void }): void;
};

/** @param before the element above which they are shown */
export function createNotices(before: HTMLElement): Notices {
  const place = element('div', { role: 'alert' });
  const spoken = element('p', { class: 'unseen', role: 'status' });
  before.before(place, spoken);
  const close = (): void => place.replaceChildren();
  return {
    say(text) {
      spoken.textContent = text;
    },
    show(text, action) {
      const buttons = [
        ...(action
          ? [
              button(
                action.label,
                () => {
                  close();
                  action.do();
                },
                { class: 'small' },
              ),
            ]
          : []),
        button('Close', close, { class: 'small' }),
      ];
      place.replaceChildren(
        element(
          'div',
          { class: 'notice' },
          element('p', {}, text),
          element('span', { class: 'tools' }, ...buttons),
        ),
      );
    },
  };
}
