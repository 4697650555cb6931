/** An MCP server in the format in which hosts store it. */
interface HostServer {
  /** The host's name for the server, which is a slug. */
  name: string;
  url: string;
}

/** Returns a link that opens Cursor, which asks whether to add the server (cursor.com/docs/mcp/install-links). */
export function cursorLink({ name, url }: HostServer): string {
  const query = new URLSearchParams({ name, config: btoa(JSON.stringify({ url })) });
  return `cursor://anysphere.cursor-deeplink/mcp/install?${query}`;
}

/**
 * Returns a link that opens VS Code, which asks whether to add the server
 * (code.visualstudio.com/api/extension-guides/ai/mcp).
 */
export function vsCodeLink({ name, url }: HostServer): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`;
}

/** Returns the server in Cursor's `mcp.json`. */
export function cursorConfig({ name, url }: HostServer): string {
  return JSON.stringify({ mcpServers: { [name]: { url } } }, null, 2);
}

/** Returns the server in VS Code's `mcp.json`. */
export function vsCodeConfig({ name, url }: HostServer): string {
  return JSON.stringify({ servers: { [name]: { type: 'http', url } } }, null, 2);
}

/** Returns the command that adds the server to Claude Code. */
export function claudeCodeCommand({ name, url }: HostServer): string {
  return `claude mcp add --transport http ${name} ${url}`;
}

/** An agent as a model of Parley's OpenAI-compatible API. */
export interface ModelTarget {
  /** The base URL of the API, `S/v1`. */
  url: string;
  slug: string;
}

/** Returns a Python program with OpenAI's library that streams an answer. */
export function openAiProgram({ url, slug }: ModelTarget): string {
  return `# pip install openai, then run with PARLEY_TOKEN set
import os
from openai import OpenAI

client = OpenAI(base_url="${url}", api_key=os.environ["PARLEY_TOKEN"])
stream = client.chat.completions.create(
    model="${slug}",
    messages=[{"role": "user", "content": "Hello, what can you do?"}],
    stream=True,
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")`;
}

/** Returns an entry of LiteLLM's `config.yaml`. */
export function liteLlmConfig({ url, slug }: ModelTarget): string {
  return `# config.yaml
model_list:
  - model_name: ${slug}
    litellm_params:
      model: openai/${slug}
      api_base: ${url}
      api_key: os.environ/PARLEY_TOKEN`;
}

/** Settings of Open WebUI in its environment. */
export function openWebUiSettings({ url }: ModelTarget): string {
  return `OPENAI_API_BASE_URL=${url}
OPENAI_API_KEY=$PARLEY_TOKEN`;
}
