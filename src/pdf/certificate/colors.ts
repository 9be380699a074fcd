// The colors of a certificate. They stay legible on a printer without color.

export const INK = '1A1C20';
export const SOFT = '5B6068';
export const LINE = 'D5D9DE';
export const ACCENT = '1D4E79';
export const PAPER = 'F4F7FA';
