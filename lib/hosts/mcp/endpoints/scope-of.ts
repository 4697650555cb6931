import type { HostScope } from '../../../platform/scopes';
import type { McpRequest } from '../../../protocol/mcp/messages';
import type { ToolSet } from '../..';
import { taskMethods } from './tasks-extension';

/** The scope that a request needs; null if any valid token is sufficient. */
export function scopeOf({ method, params }: McpRequest, { tools }: ToolSet): HostScope | null {
  if (method === 'tools/call') return tools.find(({ name }) => name === params.name)?.scope ?? null;
  if (!taskMethods.includes(method)) return null;
  return method === 'tasks/get' ? 'tasks:read' : 'agents:call';
}
