// What all operations under /_sandbox/ have in common. Of their answers the client needs what it shows (`needed…`): a sandbox on
// this machine may be of another version, but no other service has these operations.

export const control = { access: 'control', source: 'none', extension: true } as const;
