// How much a test does: `npm test` runs the short figures, `npm run test:slow` the full ones.

export const SLOW = process.env.ESIGN_TIER === 'slow';
