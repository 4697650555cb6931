export { getAnswerFile } from './answer-file';
export { completeChat } from './complete-chat';
export { toChunks, toCompletion } from './encode-completion';
export { getModel, listModels } from './models';
