import { EXPORT_SCHEMA_PATH, exportJson, exportJsonSchema, exportMarkdown } from '../chat';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';

/** `GET /api/chat/conversations/{id}/export?format=markdown|json&branch=`: a file to save. */
export const getConversationExport: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '' }, url: { searchParams: query } }) => {
    const { name, mediaType, text } = await writerOf(query.get('format'))({
      ctx,
      input: { id, branch: query.get('branch') },
    });
    return new Response(text, {
      headers: {
        'content-type': `${mediaType}; charset=utf-8`,
        'content-disposition': `attachment; filename="${name}"`,
        'x-content-type-options': 'nosniff',
      },
    });
  },
});

/** `GET /api/chat/export-schema.json`: what every JSON export validates against (JSON Schema 2020-12). */
export const getExportSchema: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: async () => exportJsonSchema(`${env().APP_URL}${EXPORT_SCHEMA_PATH}`),
});

function writerOf(format: string | null): typeof exportJson {
  if (format === 'json') return exportJson;
  if (format === 'markdown' || format === null) return exportMarkdown;
  throw new ParleyError('invalid_request', `format: found "${format.slice(0, 40)}"; expected markdown or json.`);
}
