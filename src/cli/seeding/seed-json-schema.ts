// The JSON Schema of a seed file, for editors: docs/seed.schema.json.
import { type Json, jsonSchemaOf } from '../../api/contract/openapi-schemas.ts';
import { seedSchema } from './seed-schema.ts';

export function seedJsonSchema(): Json {
  const schema = JSON.stringify(jsonSchemaOf(seedSchema, 'input'));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Seed of an esign sandbox',
    // A list that is empty by default may be omitted, which its schema says.
    ...JSON.parse(schema.replaceAll(/ Default: (\[\]|\{\})/g, '')),
  };
}
