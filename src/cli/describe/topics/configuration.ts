// `esign help config` and esign-config(5): the configuration file and the project file.

export const CONFIGURATION_TOPIC = `Connection profiles, the active profile and aliases are stored in $ESIGN_HOME/config/config.json if
ESIGN_HOME is set, otherwise in $XDG_CONFIG_HOME/esign/config.json (default: ~/.config/esign/config.json). \`esign config
path\` prints the location. The first \`esign config
set\` creates the
file, readable only by you. You can edit it:

  {
    "profile": "acme",
    "profiles": {
      "acme": {
        "base_url": "https://api.acme.example",
        "app_url": "https://sign.acme.example",
        "sender": "Grace <grace@acme.example>",
        "routes": {
          "transaction.cancel":
            "POST /v1/transaction/{transactionId}/cancel"
        }
      }
    }
  }

An option overrides an environment variable, which overrides the profile; \`esign help environment\` describes the exceptions.
Unknown properties are kept and ignored. Access tokens and secrets are never stored in this file: \`esign login\` stores them in
the system keyring, or in files that only you can read (see DATA).

# TOP-LEVEL SETTINGS

  profile        Name of the active profile, used unless --profile, ESIGN_BASE_URL or ESIGN_PROFILE says otherwise
  profiles       Profiles by name; the profile \`sandbox\` always exists
  aliases        Commands by name: \`esign NAME\` runs the command line that it stands for; see \`esign config set --help\`

# PROFILE SETTINGS

  base_url       Base URL of the service: https, or http on this machine
  dashboard_url  URL of the service's dashboard
  app_url        URL of the service's signing pages
  sender         Sender as "Name <email>"; must be the user the access token belongs to
  client_id, callback_url, scopes
                 What \`esign login\` uses, as registered for the OAuth application
  idempotency    true if the service honors the Idempotency-Key header, so that requests can be retried (default: false; true in the
                 sandbox)
  field_values   true if the service takes values of fields that the sender fills in (default: false; true in the sandbox and for services
                 on this machine)
  preparations   true if the service records what esign removed from a file before its upload, such as tags, and the SHA-256 of the
                 original (default: false; true in the sandbox and for services on this machine)
  recipient_ids  generate if the service accepts recipient IDs that esign creates, otherwise none (default: none; generate in the
                 sandbox). With generate, fields are sent in the same request as the recipients
  redirect_uri   true if the service accepts the parameter redirect_uri in the authorization URL; it then contains callback_url.
                 Otherwise the service redirects to the callback URL that is registered (default: false)
  echoes_state   true if the service returns the state of the authorization URL; set by \`esign login\`
  pkce           true if the service knows PKCE (RFC 7636) and public applications, which have no client secret; set by
                 \`esign login\` (default: a login asks the service)
  routes         Other paths for operations: "METHOD /path" by operation; see \`esign help routes\`
  sealing        How the sandbox seals documents (profile \`sandbox\` only)
  mail           How the sandbox sends email (profile \`sandbox\` only); without a server, email stays in the mailbox

# SEALING SETTINGS

These are settings of the profile \`sandbox\`; change them with \`esign config set --sandbox sealing.KEY VALUE\`. Without any
of them, the sandbox seals documents with its own certificate authority.

  key, certificate
                 Files with the private key and the certificate in PEM format, the certificate followed by its issuers up to the root
  p12            File with key and certificates (PKCS #12), instead of key and certificate
  password_file  File with the password of the key; or set ESIGN_SEALING_PASSWORD
  tsa            URL of a timestamp authority (RFC 3161), http or https
  tsa_policy     OID of the policy that timestamps must have, such as 1.2.3.4
  tsa_digest     Hash that is timestamped: sha256 (default), sha384 or sha512
  tsa_certificates
                 File with certificates of the timestamp authority's issuers in PEM format; timestamps from any other issuer are refused
  level          PAdES level: B, T, LT or LTA (default). If it cannot be reached, the document is not sealed
  revocation_lists
                 Files with revocation lists, separated by commas (default: they are downloaded from the URLs in the certificates)

# MAIL SETTINGS

These are settings of the profile \`sandbox\` too, for example \`esign config set --sandbox mail.smtp mail.example.com\`.

  smtp           Host of the mail server, with its port if needed: mail.example.com:2525 (default: 587 with starttls, 465 with tls, 25
                 with none)
  from           Email address that emails are sent from, required with smtp; the name shown is the sender's, and replies go to the sender
  tls            starttls (default), tls or none. none is only for a server on this machine; nothing is sent unencrypted to any
                 other server
  user, password_file
                 Login for the server; or set the password with ESIGN_SMTP_PASSWORD
  language       en (default), de, fr, es, it, pt, nl or pl; used for recipients who have not chosen a language on their signing page
  dkim_domain, dkim_selector, dkim_key
                 DKIM signature for every email (RFC 6376); dkim_key is a file with an RSA key in PEM format
  certificates   File with certificates in PEM format to trust in addition to those of this machine

# PROJECT FILE

A directory can contain \`esign.config.json\` with defaults for \`esign tx send\` in that directory. Options override it, and
\`esign tx send\` reports when it uses the file:

  {
    "to": ["Ada <ada@example.com>"],
    "subject": "Release documents",
    "expires": 14,
    "field": [
      "signature@last:60%,80%,30%x6%=1",
      { "type": "date", "recipient": 1,
        "anchor": { "text": "Place", "at": "above" } }
    ],
    "tags": true
  }

Its properties are name, description, subject, message, alias, expires, to, field, tags, form_fields and form_to, like the options of
these names (--form-fields, --form-to). In field, \`=1\` stands for the first recipient; objects are those of a file for --fields (see
\`esign help fields\`). field is only used with a FILE. With tags and form_fields, documents without tags or a form are sent as they are.
\`esign tx upload\` uses tags, form_fields and form_to as well. URLs, routes, profiles and credentials are refused, so that a cloned repository cannot send your access token elsewhere.

# DATA

The sandbox, interrupted sends, the recently used IDs, and the files of \`esign login\` (in the directory credentials) are
stored in $ESIGN_HOME/data if ESIGN_HOME is set, otherwise in $XDG_DATA_HOME/esign (default: ~/.local/share/esign).`;
