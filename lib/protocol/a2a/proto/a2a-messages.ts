// Generated from a2a.proto by scripts/a2a-messages.mjs. Do not edit.

import type { EnumTable, MessageTable, MethodTable } from '../../message-tables';

/** The names of enum values by number. */
export const a2aEnums = {
  TaskState: ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_REJECTED', 'TASK_STATE_AUTH_REQUIRED'],
  Role: ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'],
} as const satisfies EnumTable;

/** The fields of each message: number, JSON name, type, and label. */
export const a2aMessages = {
  SendMessageConfiguration: [
    [1, 'acceptedOutputModes', 'string', 'repeated'],
    [2, 'taskPushNotificationConfig', 'TaskPushNotificationConfig'],
    [3, 'historyLength', 'int32', 'optional'],
    [4, 'returnImmediately', 'bool'],
  ],
  Task: [
    [1, 'id', 'string'],
    [2, 'contextId', 'string'],
    [3, 'status', 'TaskStatus'],
    [4, 'artifacts', 'Artifact', 'repeated'],
    [5, 'history', 'Message', 'repeated'],
    [6, 'metadata', 'Struct'],
  ],
  TaskStatus: [
    [1, 'state', 'TaskState'],
    [2, 'message', 'Message'],
    [3, 'timestamp', 'Timestamp'],
  ],
  Part: [
    [1, 'text', 'string', 'oneof:content'],
    [2, 'raw', 'bytes', 'oneof:content'],
    [3, 'url', 'string', 'oneof:content'],
    [4, 'data', 'Value', 'oneof:content'],
    [5, 'metadata', 'Struct'],
    [6, 'filename', 'string'],
    [7, 'mediaType', 'string'],
  ],
  Message: [
    [1, 'messageId', 'string'],
    [2, 'contextId', 'string'],
    [3, 'taskId', 'string'],
    [4, 'role', 'Role'],
    [5, 'parts', 'Part', 'repeated'],
    [6, 'metadata', 'Struct'],
    [7, 'extensions', 'string', 'repeated'],
    [8, 'referenceTaskIds', 'string', 'repeated'],
  ],
  Artifact: [
    [1, 'artifactId', 'string'],
    [2, 'name', 'string'],
    [3, 'description', 'string'],
    [4, 'parts', 'Part', 'repeated'],
    [5, 'metadata', 'Struct'],
    [6, 'extensions', 'string', 'repeated'],
  ],
  TaskStatusUpdateEvent: [
    [1, 'taskId', 'string'],
    [2, 'contextId', 'string'],
    [3, 'status', 'TaskStatus'],
    [4, 'metadata', 'Struct'],
  ],
  TaskArtifactUpdateEvent: [
    [1, 'taskId', 'string'],
    [2, 'contextId', 'string'],
    [3, 'artifact', 'Artifact'],
    [4, 'append', 'bool'],
    [5, 'lastChunk', 'bool'],
    [6, 'metadata', 'Struct'],
  ],
  AuthenticationInfo: [
    [1, 'scheme', 'string'],
    [2, 'credentials', 'string'],
  ],
  AgentInterface: [
    [1, 'url', 'string'],
    [2, 'protocolBinding', 'string'],
    [3, 'tenant', 'string'],
    [4, 'protocolVersion', 'string'],
  ],
  AgentCard: [
    [1, 'name', 'string'],
    [2, 'description', 'string'],
    [3, 'supportedInterfaces', 'AgentInterface', 'repeated'],
    [4, 'provider', 'AgentProvider'],
    [5, 'version', 'string'],
    [6, 'documentationUrl', 'string', 'optional'],
    [7, 'capabilities', 'AgentCapabilities'],
    [8, 'securitySchemes', 'map:SecurityScheme'],
    [9, 'securityRequirements', 'SecurityRequirement', 'repeated'],
    [10, 'defaultInputModes', 'string', 'repeated'],
    [11, 'defaultOutputModes', 'string', 'repeated'],
    [12, 'skills', 'AgentSkill', 'repeated'],
    [13, 'signatures', 'AgentCardSignature', 'repeated'],
    [14, 'iconUrl', 'string', 'optional'],
  ],
  AgentProvider: [
    [1, 'url', 'string'],
    [2, 'organization', 'string'],
  ],
  AgentCapabilities: [
    [1, 'streaming', 'bool', 'optional'],
    [2, 'pushNotifications', 'bool', 'optional'],
    [3, 'extensions', 'AgentExtension', 'repeated'],
    [4, 'extendedAgentCard', 'bool', 'optional'],
  ],
  AgentExtension: [
    [1, 'uri', 'string'],
    [2, 'description', 'string'],
    [3, 'required', 'bool'],
    [4, 'params', 'Struct'],
  ],
  AgentSkill: [
    [1, 'id', 'string'],
    [2, 'name', 'string'],
    [3, 'description', 'string'],
    [4, 'tags', 'string', 'repeated'],
    [5, 'examples', 'string', 'repeated'],
    [6, 'inputModes', 'string', 'repeated'],
    [7, 'outputModes', 'string', 'repeated'],
    [8, 'securityRequirements', 'SecurityRequirement', 'repeated'],
  ],
  AgentCardSignature: [
    [1, 'protected', 'string'],
    [2, 'signature', 'string'],
    [3, 'header', 'Struct'],
  ],
  TaskPushNotificationConfig: [
    [1, 'tenant', 'string'],
    [2, 'id', 'string'],
    [3, 'taskId', 'string'],
    [4, 'url', 'string'],
    [5, 'token', 'string'],
    [6, 'authentication', 'AuthenticationInfo'],
  ],
  StringList: [
    [1, 'list', 'string', 'repeated'],
  ],
  SecurityRequirement: [
    [1, 'schemes', 'map:StringList'],
  ],
  SecurityScheme: [
    [1, 'apiKeySecurityScheme', 'APIKeySecurityScheme', 'oneof:scheme'],
    [2, 'httpAuthSecurityScheme', 'HTTPAuthSecurityScheme', 'oneof:scheme'],
    [3, 'oauth2SecurityScheme', 'OAuth2SecurityScheme', 'oneof:scheme'],
    [4, 'openIdConnectSecurityScheme', 'OpenIdConnectSecurityScheme', 'oneof:scheme'],
    [5, 'mtlsSecurityScheme', 'MutualTlsSecurityScheme', 'oneof:scheme'],
  ],
  APIKeySecurityScheme: [
    [1, 'description', 'string'],
    [2, 'location', 'string'],
    [3, 'name', 'string'],
  ],
  HTTPAuthSecurityScheme: [
    [1, 'description', 'string'],
    [2, 'scheme', 'string'],
    [3, 'bearerFormat', 'string'],
  ],
  OAuth2SecurityScheme: [
    [1, 'description', 'string'],
    [2, 'flows', 'OAuthFlows'],
    [3, 'oauth2MetadataUrl', 'string'],
  ],
  OpenIdConnectSecurityScheme: [
    [1, 'description', 'string'],
    [2, 'openIdConnectUrl', 'string'],
  ],
  MutualTlsSecurityScheme: [
    [1, 'description', 'string'],
  ],
  OAuthFlows: [
    [1, 'authorizationCode', 'AuthorizationCodeOAuthFlow', 'oneof:flow'],
    [2, 'clientCredentials', 'ClientCredentialsOAuthFlow', 'oneof:flow'],
    [3, 'implicit', 'ImplicitOAuthFlow', 'oneof:flow'],
    [4, 'password', 'PasswordOAuthFlow', 'oneof:flow'],
    [5, 'deviceCode', 'DeviceCodeOAuthFlow', 'oneof:flow'],
  ],
  AuthorizationCodeOAuthFlow: [
    [1, 'authorizationUrl', 'string'],
    [2, 'tokenUrl', 'string'],
    [3, 'refreshUrl', 'string'],
    [4, 'scopes', 'map:string'],
    [5, 'pkceRequired', 'bool'],
  ],
  ClientCredentialsOAuthFlow: [
    [1, 'tokenUrl', 'string'],
    [2, 'refreshUrl', 'string'],
    [3, 'scopes', 'map:string'],
  ],
  ImplicitOAuthFlow: [
    [1, 'authorizationUrl', 'string'],
    [2, 'refreshUrl', 'string'],
    [3, 'scopes', 'map:string'],
  ],
  PasswordOAuthFlow: [
    [1, 'tokenUrl', 'string'],
    [2, 'refreshUrl', 'string'],
    [3, 'scopes', 'map:string'],
  ],
  DeviceCodeOAuthFlow: [
    [1, 'deviceAuthorizationUrl', 'string'],
    [2, 'tokenUrl', 'string'],
    [3, 'refreshUrl', 'string'],
    [4, 'scopes', 'map:string'],
  ],
  SendMessageRequest: [
    [1, 'tenant', 'string'],
    [2, 'message', 'Message'],
    [3, 'configuration', 'SendMessageConfiguration'],
    [4, 'metadata', 'Struct'],
  ],
  GetTaskRequest: [
    [1, 'tenant', 'string'],
    [2, 'id', 'string'],
    [3, 'historyLength', 'int32', 'optional'],
  ],
  ListTasksRequest: [
    [1, 'tenant', 'string'],
    [2, 'contextId', 'string'],
    [3, 'status', 'TaskState'],
    [4, 'pageSize', 'int32', 'optional'],
    [5, 'pageToken', 'string'],
    [6, 'historyLength', 'int32', 'optional'],
    [7, 'statusTimestampAfter', 'Timestamp'],
    [8, 'includeArtifacts', 'bool', 'optional'],
  ],
  ListTasksResponse: [
    [1, 'tasks', 'Task', 'repeated'],
    [2, 'nextPageToken', 'string'],
    [3, 'pageSize', 'int32'],
    [4, 'totalSize', 'int32'],
  ],
  CancelTaskRequest: [
    [1, 'tenant', 'string'],
    [2, 'id', 'string'],
    [3, 'metadata', 'Struct'],
  ],
  GetTaskPushNotificationConfigRequest: [
    [1, 'tenant', 'string'],
    [2, 'taskId', 'string'],
    [3, 'id', 'string'],
  ],
  DeleteTaskPushNotificationConfigRequest: [
    [1, 'tenant', 'string'],
    [2, 'taskId', 'string'],
    [3, 'id', 'string'],
  ],
  SubscribeToTaskRequest: [
    [1, 'tenant', 'string'],
    [2, 'id', 'string'],
  ],
  ListTaskPushNotificationConfigsRequest: [
    [4, 'tenant', 'string'],
    [1, 'taskId', 'string'],
    [2, 'pageSize', 'int32'],
    [3, 'pageToken', 'string'],
  ],
  GetExtendedAgentCardRequest: [
    [1, 'tenant', 'string'],
  ],
  SendMessageResponse: [
    [1, 'task', 'Task', 'oneof:payload'],
    [2, 'message', 'Message', 'oneof:payload'],
  ],
  StreamResponse: [
    [1, 'task', 'Task', 'oneof:payload'],
    [2, 'message', 'Message', 'oneof:payload'],
    [3, 'statusUpdate', 'TaskStatusUpdateEvent', 'oneof:payload'],
    [4, 'artifactUpdate', 'TaskArtifactUpdateEvent', 'oneof:payload'],
  ],
  ListTaskPushNotificationConfigsResponse: [
    [1, 'configs', 'TaskPushNotificationConfig', 'repeated'],
    [2, 'nextPageToken', 'string'],
  ],
} as const satisfies MessageTable;

/** The methods of `lf.a2a.v1.A2AService`: request, response, and whether the response is a stream. */
export const a2aRpcs = {
  SendMessage: ['SendMessageRequest', 'SendMessageResponse', false],
  SendStreamingMessage: ['SendMessageRequest', 'StreamResponse', true],
  GetTask: ['GetTaskRequest', 'Task', false],
  ListTasks: ['ListTasksRequest', 'ListTasksResponse', false],
  CancelTask: ['CancelTaskRequest', 'Task', false],
  SubscribeToTask: ['SubscribeToTaskRequest', 'StreamResponse', true],
  CreateTaskPushNotificationConfig: ['TaskPushNotificationConfig', 'TaskPushNotificationConfig', false],
  GetTaskPushNotificationConfig: ['GetTaskPushNotificationConfigRequest', 'TaskPushNotificationConfig', false],
  ListTaskPushNotificationConfigs: ['ListTaskPushNotificationConfigsRequest', 'ListTaskPushNotificationConfigsResponse', false],
  GetExtendedAgentCard: ['GetExtendedAgentCardRequest', 'AgentCard', false],
  DeleteTaskPushNotificationConfig: ['DeleteTaskPushNotificationConfigRequest', 'Empty', false],
} as const satisfies MethodTable;
