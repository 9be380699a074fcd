// `esign help config` and esign-config(5): the file of profiles.

export const CONFIGURATION = `Profiles are kept in \`config.json\`, in the folder config of ESIGN_HOME, or else in esign of XDG_CONFIG_HOME
(~/.config/esign). \`esign config path\` prints where. It is made by the first \`esign config set\`, readable by its owner alone,
and may be edited: it is JSON.

  {
    "profile": "acme",
    "profiles": {
      "acme": {
        "base_url": "https://api.acme.example",
        "app_url": "https://sign.acme.example",
        "sender": "Grace Hopper <grace@acme.example>",
        "routes": { "transaction.cancel": "POST /v1/transaction/{transactionId}/cancellation" }
      }
    }
  }

Of the whole file:

  profile        name of the profile that is used when none is named
  profiles       the profiles by name; the profile sandbox exists without standing there

Of a profile:

  base_url       address of the service: https, or http on this machine
  dashboard_url  address of its dashboard
  app_url        address of its signing application
  sender         who sends: "Name <email>", the user whose token it is
  client_id, callback_url, scopes
                 what \`esign login\` uses, as the application is registered
  idempotency    true when the service honours the header Idempotency-Key, so that a request may be sent again
  recipient_ids  generate when the service takes ids of recipients that are made here, else none; fields then need no request
                 of their own
  redirect_uri   true when the service knows it on the authorization link
  echoes_state   true when the service sends back the state of the authorization link; a login finds it out
  routes         other addresses of operations: "METHOD /path" by operation; \`esign help routes\` lists them
  sealing        of the profile sandbox: what it seals documents with instead of its own authority

Of sealing, each with a path, an address or a word:

  key, certificate
                 private key and certificate in PEM, the certificate with its issuers up to the root
  p12            both in one file (PKCS #12), instead of the two above
  password_file  file with the password of the key; or set ESIGN_SEALING_PASSWORD
  tsa            address of a timestamp authority (RFC 3161), http or https
  tsa_policy     policy that its timestamps must have, as in 1.2.3.4
  tsa_digest     sha256, sha384 or sha512; sha256 is used unless set
  tsa_certificates
                 certificates of its issuers in PEM; a timestamp of anybody else is refused
  level          B, T, LT or LTA; LTA is used unless set. A level that cannot be reached is an error: no document is
                 sealed at a lower one
  revocation_lists
                 files with revocation lists, with commas between them; left out, they are loaded from the addresses that the
                 certificates name

A flag is stronger than a variable of the environment, a variable is stronger than the profile. What else stands in the file is
kept and means nothing. Tokens and secrets never stand in it.

A project may have a file \`esign.config.json\` in the folder that \`esign tx send\` is run in, for what its transactions have in
common. It says what no option says, and is named when it does:

  {
    "to": ["Ada <ada@example.com>", "Grace <grace@example.com>"],
    "subject": "Release documents",
    "expires": 14,
    "field": ["signature@last:60%,80%,30%x6%=1"]
  }

It knows name, description, subject, message, alias, expires, to and field, as the options of these names. Addresses, routes,
profiles and credentials in it are an error: a repository that was cloned must not send a token elsewhere.

Beside the file of profiles, in the folder data of ESIGN_HOME or in esign of XDG_DATA_HOME (~/.local/share/esign), are the store of the sandbox,
the journal of plans, and what was seen of services, which TAB offers.`;
