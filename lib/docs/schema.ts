/** Placeholder for this server's origin in the docs' sources. */
export const placeholderOrigin = 'https://parley.example';

/** A docs page without its text. */
export interface DocsEntry {
  section: string;
  slug: string;
  title: string;
  summary: string;
  /** The language of title and summary, if it is not the requested one. */
  lang?: 'en';
}

/** A searchable section of a page in one language. `href` links to its heading. */
export interface DocsPassage {
  id: number;
  lang: string;
  href: string;
  title: string;
  heading: string;
  text: string;
}

/** Returns the path of a page. */
export function docsPath(slug: string): string {
  return `/docs/${slug}`;
}

/** Returns the anchor of a heading, derived from its text. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The subset of OpenAPI 3.1 that Parley's description uses. */
export interface OpenApi {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, object> };
}

/** A JSON Schema 2020-12 object. */
export type JsonSchema = { [keyword: string]: unknown };

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonSchema;
}
