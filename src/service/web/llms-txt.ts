// Says to programs what this service is and where it is described, as llmstxt.org proposes. No text of a user is in it.
const DOCUMENTATION = 'https://github.com/esign-cli/esign/blob/main/docs';

export const llmsText = (origin: string): string => `# esign: a service for electronic signatures

> This service sends documents to people for signature, one after another, and seals them when everyone has signed.

Requests need an access token of OAuth 2.0. A person signs at an address that only that person receives: do not pass it on, and do not sign for others.

Assistants can call the same tools as a person at the command line: this service speaks the Model Context Protocol at ${origin}/mcp, with OAuth, while \`esign serve\` or \`esign sandbox serve\` runs it.

## This service

- [API description](${origin}/openapi.json): every operation, with its scopes and errors (OpenAPI 3.1)
- [Addresses](${origin}/.well-known/esign): where the pages of this service are, and what it has beyond the API
- [Dashboard](${origin}/): the pages for people who send documents

## Documentation

- [The service and its API](${DOCUMENTATION}/service.md): by example with curl, then rule by rule
- [Client for programs](${DOCUMENTATION}/client.md): a typed client for JavaScript
- [Commands](${DOCUMENTATION}/commands.md): the command line \`esign\`
- [Programs with a language model](${DOCUMENTATION}/agents.md): tools for assistants, and the rules for them
`;
