// MCP servers as agents, without I/O: the gateway and `parley serve --mcp` use the same functions.
export { answerMcpTurn, type McpAgent, type McpTurn } from './mcp/answer-turn.js';
export {
  declineRequest,
  initialize,
  isMcpError,
  isResponse,
  isServerRequest,
  MCP_REVISIONS,
  McpError,
  type McpRequest,
  type McpServerInfo,
  type McpTransport,
} from './mcp/client.js';
export { WaitingCalls, type WaitingGroup } from './mcp/questions.js';
export type { ChooseTool } from './mcp/route.js';
export { cardOfTools, listTools, type McpTool } from './mcp/tools.js';
export { chooseWithModel } from './openai/choose-tool.js';
