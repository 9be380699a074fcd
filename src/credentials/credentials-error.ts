// The codes of errors about logins at rest.

export type CredentialsErrorCode = 'keyring_unusable' | 'login_unreadable';

export type CredentialsError = Error & { code: CredentialsErrorCode };
