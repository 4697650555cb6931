import { endpoint } from '../../http/endpoint';
import { ownsApp } from '../../tokens';
import { checkImport, listImport, readImport } from '..';
import {
  importCheckSchema,
  importListInputSchema,
  importListSchema,
  importOutcomesSchema,
  importSourceSchema,
  importVerdictsSchema,
} from '../schema-imports';

export const postImport = endpoint({
  method: 'POST',
  path: '/api/imports',
  auth: { scope: 'agents:write' },
  body: importSourceSchema,
  response: importListSchema,
  errors: ['url_refused', 'catalog_unreadable'],
  docs: {
    tag: 'Agents',
    summary: 'Read a list of agents to import',
    description:
      'Accepts an ARD manifest, an MCP registry or a list of A2A cards. Does not fetch cards or list agents.',
  },
  handle: ({ ctx, input }) => readImport({ ctx, input }),
});

export const postImportCheck = endpoint({
  method: 'POST',
  path: '/api/imports/check',
  auth: { scope: 'agents:write' },
  body: importCheckSchema,
  response: importVerdictsSchema,
  docs: { tag: 'Agents', summary: 'Check agents without listing them' },
  handle: ({ ctx, input }) => checkImport({ ctx, input }),
});

export const postImportList = endpoint({
  method: 'POST',
  path: '/api/imports/list',
  auth: { scope: 'agents:write' },
  body: importListInputSchema,
  response: importOutcomesSchema,
  docs: {
    tag: 'Agents',
    summary: 'List several agents',
    description: 'Each agent is listed as with `POST /api/agents`, independently of the others.',
  },
  handle: ({ ctx, input }) => listImport({ ctx, input, ownsApp }),
});
