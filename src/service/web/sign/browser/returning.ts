// Reloads a page that the back button shows as it was left, so that it is up to date.

/** @param hasUnsaved what is not saved yet stays on the page */
export function showFresh(hasUnsaved: () => boolean): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !hasUnsaved()) location.reload();
  });
}
