export { getAnswerFile } from './answers/answer-file';
export { callTool, listTools } from './mcp/tools';
export { type Completion, completeChat } from './openai/complete-chat';
export { toChunks, toCompletion } from './openai/encode-completion';
export { toResponse, toResponseEvents } from './openai/encode-response';
export { getModel, listModels } from './openai/models';
export { respondToInput } from './openai/respond';
export { deleteOldTranscripts } from './store/transcripts';
