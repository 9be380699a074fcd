// The colours of a certificate. They print well on a printer that has black only.

export const INK = '1A1C20';
export const SOFT = '5B6068';
export const LINE = 'D5D9DE';
export const ACCENT = '1D4E79';
export const PAPER = 'F4F7FA';
