// A page that the back button brings back as it was left is loaded again, so that it shows how things stand.

/** @param hasUnsaved what is not saved yet stays on the page */
export function showFresh(hasUnsaved: () => boolean): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !hasUnsaved()) location.reload();
  });
}
