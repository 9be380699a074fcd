// The codes of errors about stored logins.

export type CredentialsErrorCode = 'keyring_unusable' | 'login_unreadable';

export type CredentialsError = Error & { code: CredentialsErrorCode };
