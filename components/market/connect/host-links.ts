/** An MCP server as hosts store it. */
export interface HostServer {
  /** The host's name for it: a slug. */
  name: string;
  url: string;
}

/** Opens Cursor, which asks whether to add the server (cursor.com/docs/mcp/install-links). */
export function cursorLink({ name, url }: HostServer): string {
  const query = new URLSearchParams({ name, config: btoa(JSON.stringify({ url })) });
  return `cursor://anysphere.cursor-deeplink/mcp/install?${query}`;
}

/** Opens VS Code, which asks whether to add the server (code.visualstudio.com/api/extension-guides/ai/mcp). */
export function vsCodeLink({ name, url }: HostServer): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`;
}

/** The server in Cursor's `mcp.json`. */
export function cursorConfig({ name, url }: HostServer): string {
  return JSON.stringify({ mcpServers: { [name]: { url } } }, null, 2);
}

/** The server in VS Code's `mcp.json`. */
export function vsCodeConfig({ name, url }: HostServer): string {
  return JSON.stringify({ servers: { [name]: { type: 'http', url } } }, null, 2);
}

/** The command that adds the server to Claude Code. */
export function claudeCodeCommand({ name, url }: HostServer): string {
  return `claude mcp add --transport http ${name} ${url}`;
}
