"""What the API of a Kedge server takes and returns. Generated from openapi.json 0.1.0 by `npm run python`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypedDict, Union


class AgentInfo(TypedDict):
    """A sub-agent the model can start, as a list shows it."""

    #: What the model calls it by, in `subagent_type`.
    name: str
    #: What the model reads to choose it.
    description: str
    #: The agent's model. Default: the session's model.
    model: NotRequired[str]


#: Where the credential came from: a scope, or the name of the variable or file that held it.
ApiKeySource = Literal["user", "project", "org", "temporary", "oauth", "none", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_API_KEY", "config_file", "apiKeyHelper", "practice"]


class AskTool(TypedDict):
    """The call that waits."""

    #: The tool's name.
    name: str
    #: What it's to be called with.
    input: Dict[str, Any]
    #: Hash of the input: an answer that names another one was about something else, and is refused.
    hash: str
    #: The id that the model gave the call.
    useId: str


class AskOrigin(TypedDict):
    """The tool call that an MCP server asks for. The answer continues the call, even in another process."""

    #: The id that the model gave the call.
    useId: str
    #: The same if the server asks again.
    key: str


class Ask(TypedDict):
    """A request: what waits for a person."""

    #: The id to answer it by.
    id: str
    #: The session that waits.
    session: str
    #: What it is about.
    kind: AskKind
    #: The asking agent: [] is the main thread, else the ids of the sub-agents that lead to it.
    agent: List[str]
    #: The sub-agent in words, where the log has them.
    asker: NotRequired[AskingAgent]
    #: The call that waits.
    tool: NotRequired[AskTool]
    #: The MCP server's request, if the ask is one.
    elicitation: NotRequired[ElicitationRequest]
    #: The tool call that an MCP server asks for. The answer continues the call, even in another process.
    origin: NotRequired[AskOrigin]
    #: The sign-in, if the ask is one.
    signIn: NotRequired[McpSignInRequest]
    #: What the call would do: the diff of an edit, what a command reads and writes.
    preview: NotRequired[AskPreview]
    #: Why a person is asked.
    why: AskReason
    #: Rules that would keep this from being asked again.
    suggestions: List[RuleSuggestion]
    #: When it was asked, in ISO 8601.
    since: str


class AskAnswerAllow(TypedDict):
    kind: Literal["allow"]
    #: What the call runs with instead.
    input: NotRequired[Dict[str, Any]]
    #: Rules and modes to set, of those that the request suggests.
    updates: NotRequired[List[PermissionUpdate]]
    #: Hash of the input that the answer is about: if the request has another one, the answer is refused.
    hash: NotRequired[str]


class AskAnswerDeny(TypedDict):
    kind: Literal["deny"]
    #: What the model receives as the reason.
    message: NotRequired[str]
    #: Ends the turn, too.
    stop: NotRequired[bool]
    #: Hash of the input that the answer is about: if the request has another one, the answer is refused.
    hash: NotRequired[str]


class AskAnswerAnswers(TypedDict):
    kind: Literal["answers"]
    #: By the text of the question; several choices as a list; free text is as good as a choice.
    answers: Dict[str, Union[str, List[str]]]
    #: What a person adds to a choice, by the text of the question.
    notes: NotRequired[Dict[str, str]]
    #: Hash of the input that the answer is about: if the request has another one, the answer is refused.
    hash: NotRequired[str]


class AskAnswerApprove(TypedDict):
    #: The plan is approved, possibly edited.
    kind: Literal["approve"]
    #: The permission mode to continue in.
    mode: NotRequired[PermissionMode]
    #: The plan as it was edited.
    plan: NotRequired[str]
    #: Hash of the input that the answer is about: if the request has another one, the answer is refused.
    hash: NotRequired[str]


class AskAnswerRevise(TypedDict):
    #: The plan goes back.
    kind: Literal["revise"]
    #: What should be different.
    comments: str
    #: Hash of the input that the answer is about: if the request has another one, the answer is refused.
    hash: NotRequired[str]


class AskAnswerElicitation(TypedDict):
    kind: Literal["elicitation"]
    #: `accept`, `decline`, or `cancel`.
    action: Literal["accept", "decline", "cancel"]
    #: The fields of the form, if it's accepted.
    content: NotRequired[Dict[str, Union[str, float, bool, List[str]]]]
    #: Hash of the input that the answer is about: if the request has another one, the answer is refused.
    hash: NotRequired[str]


class AskAnswerSignIn(TypedDict):
    kind: Literal["sign-in"]
    #: `start` begins a sign-in, `finish` gives the address that the browser ended at, `cancel` ends it.
    action: Union[Literal["start"], Literal["finish"], Literal["cancel"]]
    #: How a sign-in begins; by default in a browser.
    method: NotRequired[Literal["browser", "device"]]
    #: The address that the browser ended at, for `finish`. No log has it.
    callback: NotRequired[str]
    #: Hash of the input that the answer is about: if the request has another one, the answer is refused.
    hash: NotRequired[str]


#: An answer to a request.
AskAnswer = Union["AskAnswerAllow", "AskAnswerDeny", "AskAnswerAnswers", "AskAnswerApprove", "AskAnswerRevise", "AskAnswerElicitation", "AskAnswerSignIn"]


class AskCommandPart(TypedDict):
    """One command of a command line, with what it would get by itself."""

    #: The command.
    command: str
    #: What it would get by itself.
    behavior: Literal["allow", "ask", "deny"]
    #: Why, in words.
    reason: str


#: What a request is about: may a tool run, a question of the model, a plan to approve, a form or link of an MCP server, or a sign-in to one, for which no turn waits.
AskKind = Literal["permission", "question", "plan", "elicitation", "sign-in"]


class AskPreviewDiff(TypedDict):
    type: Literal["diff"]
    #: The file that would change.
    path: str
    #: Null if the file does not exist yet.
    oldText: Union[str, None]
    #: What it would hold.
    newText: str
    #: Lines.
    added: float
    #: Lines that would go.
    removed: float
    #: The texts were too long to show whole: they end early.
    cut: NotRequired[Literal[True]]


class AskPreviewCommand(TypedDict):
    type: Literal["command"]
    #: The command line.
    command: str
    #: Its commands, one by one.
    parts: List[AskCommandPart]


class AskPreviewAddress(TypedDict):
    type: Literal["address"]
    #: The address that would be asked.
    url: str
    #: The host of it.
    host: str


class AskPreviewDocument(TypedDict):
    type: Literal["document"]
    #: The document, such as a plan.
    text: str
    #: The texts were too long to show whole: they end early.
    cut: NotRequired[Literal[True]]


class AskPreviewNone(TypedDict):
    type: Literal["none"]
    #: Why there is nothing to show.
    reason: str


#: What would happen, computed before anybody is asked.
AskPreview = Union["AskPreviewDiff", "AskPreviewCommand", "AskPreviewAddress", "AskPreviewDocument", "AskPreviewNone"]


class AskReason(TypedDict):
    """Why Kedge asks. `tool`: nothing allows the call."""

    #: What kind of thing asks.
    layer: Literal["rule", "mode", "path", "hook", "sandbox", "tool"]
    #: Why, in words.
    text: str
    #: As the user wrote it.
    rule: NotRequired[str]
    #: Where that rule came from.
    source: NotRequired[str]


class AskingAgent(TypedDict):
    """The sub-agent or teammate that asks."""

    #: Its kind, such as `Explore`.
    type: str
    #: The name that a teammate has.
    name: NotRequired[str]
    #: What it was started for.
    job: str


class AssistantMessage(TypedDict):
    """An answer of the model, as the Messages API gives it."""

    #: The id of the answer; all lines of one answer share it.
    id: str
    type: Literal["message"]
    role: Literal["assistant"]
    #: The model that answered.
    model: str
    #: What it said and which tools it called, in order.
    content: List[ContentBlock]
    #: Why it stopped; null while it is still coming in.
    stop_reason: Union[StopReason, None]
    #: The text that stopped it, if one did.
    stop_sequence: Union[str, None]
    #: The tokens it took.
    usage: Usage
    #: The container of the API's code execution, where it was used.
    container: NotRequired[Union[Dict[str, Any], None]]
    #: What the API itself left out of the context.
    context_management: NotRequired[Union[Dict[str, Any], None]]


class BrowserStateBlockParam(TypedDict):
    """What a browser of the provider saw; passed on untouched."""

    type: Literal["browser_state"]


class CacheControl(TypedDict):
    """Marks the end of what the API should keep in its prompt cache."""

    type: Literal["ephemeral"]
    #: How long to keep it; five minutes if not said.
    ttl: NotRequired[Literal["5m", "1h"]]


class CacheCreation(TypedDict):
    """Tokens written to the cache, by how long they are kept."""

    #: Those kept for an hour.
    ephemeral_1h_input_tokens: float
    #: Those kept for five minutes.
    ephemeral_5m_input_tokens: float


#: A part of an answer: text, thinking, a tool call, or what a tool of the API itself gave.
ContentBlock = Union["TextBlock", "ThinkingBlock", "RedactedThinkingBlock", "ToolUseBlock", "ServerToolUseBlock", "WebSearchToolResultBlock", "WebFetchToolResultBlock", "ProviderBlock"]


#: A part of a message that is sent to the model.
ContentBlockParam = Union["TextBlockParam", "ImageBlockParam", "DocumentBlockParam", "SearchResultBlockParam", "ToolResultBlockParam", "ToolUseBlockParam", "ThinkingBlockParam", "RedactedThinkingBlockParam", "ServerToolUseBlock", "WebSearchToolResultBlock", "WebFetchToolResultBlock", "ToolReferenceBlockParam", "BrowserStateBlockParam", "ProviderBlock", "ToolChangeBlockParam"]


class ContentDeltaTextDelta(TypedDict):
    type: Literal["text_delta"]
    #: More text.
    text: str


class ContentDeltaInputJsonDelta(TypedDict):
    type: Literal["input_json_delta"]
    #: More of the JSON of a tool's input; whole only at the end of the block.
    partial_json: str


class ContentDeltaThinkingDelta(TypedDict):
    type: Literal["thinking_delta"]
    #: More thinking.
    thinking: str


class ContentDeltaSignatureDelta(TypedDict):
    type: Literal["signature_delta"]
    #: The signature that ends a thinking block.
    signature: str


class ContentDeltaCitationsDelta(TypedDict):
    type: Literal["citations_delta"]
    #: A source of the text before it.
    citation: TextCitation


class ContentDeltaCompactionDelta(TypedDict):
    type: Literal["compaction_delta"]
    #: The summary, of a compaction that the API itself makes.
    content: Union[str, None]


#: The next piece of a content block that is coming in.
ContentDelta = Union["ContentDeltaTextDelta", "ContentDeltaInputJsonDelta", "ContentDeltaThinkingDelta", "ContentDeltaSignatureDelta", "ContentDeltaCitationsDelta", "ContentDeltaCompactionDelta"]


class DocumentBlockParamSourceBase64(TypedDict):
    type: Literal["base64"]
    #: The document: a PDF as base64, or text.
    data: str
    media_type: Literal["application/pdf"]


class DocumentBlockParamSourceText(TypedDict):
    type: Literal["text"]
    #: The document: a PDF as base64, or text.
    data: str
    media_type: Literal["text/plain"]


class DocumentBlockParamSourceContent(TypedDict):
    type: Literal["content"]
    #: The document as blocks.
    content: Union[str, List[Union[TextBlockParam, ImageBlockParam]]]


class DocumentBlockParamSourceUrl(TypedDict):
    type: Literal["url"]
    #: Its address.
    url: str


class DocumentBlockParamSourceFile(TypedDict):
    type: Literal["file"]
    #: The id it has at the API.
    file_id: str


class DocumentBlockParamCitations1(TypedDict):
    #: Whether the model should name its sources.
    enabled: NotRequired[bool]


class DocumentBlockParam(TypedDict):
    """A document for the model to read."""

    type: Literal["document"]
    #: A PDF, text or blocks, given here, by address, or by the id of an uploaded file.
    source: Union[DocumentBlockParamSourceBase64, DocumentBlockParamSourceText, DocumentBlockParamSourceContent, DocumentBlockParamSourceUrl, DocumentBlockParamSourceFile]
    #: Marks this block as the end of what should be cached.
    cache_control: NotRequired[Union[CacheControl, None]]
    #: Sources, or whether the model should name them.
    citations: NotRequired[Union[DocumentBlockParamCitations1, None]]
    #: What the model should know about the document.
    context: NotRequired[Union[str, None]]
    #: Its title.
    title: NotRequired[Union[str, None]]


#: How much work the model should put into an answer.
EffortLevel = Literal["low", "medium", "high", "max"]


class ElicitationRequest(TypedDict):
    """A question of an MCP server to the user."""

    #: The server that asks.
    serverName: str
    #: What it asks, in its words.
    message: str
    #: `form`: values for `requestedSchema`. `url`: a page the user is to visit.
    mode: NotRequired[Literal["form", "url"]]
    #: The page to open.
    url: NotRequired[str]
    #: Ties the question to the notice that it is done.
    elicitationId: NotRequired[str]
    #: JSON Schema of the fields to fill in.
    requestedSchema: NotRequired[Dict[str, Any]]
    #: A heading for the question.
    title: NotRequired[str]
    #: The server's name for people.
    displayName: NotRequired[str]
    #: More about the question.
    description: NotRequired[str]


FallbackReason = Literal["overloaded", "rate_limited", "down", "too_long", "refused"]


class ImageBlockParamSourceBase64(TypedDict):
    type: Literal["base64"]
    #: The picture, as base64.
    data: str
    #: What kind of picture it is.
    media_type: ImageMediaType


class ImageBlockParamSourceUrl(TypedDict):
    type: Literal["url"]
    #: Its address.
    url: str


class ImageBlockParamSourceFile(TypedDict):
    type: Literal["file"]
    #: The id it has at the API.
    file_id: str


class ImageBlockParam(TypedDict):
    """A picture for the model to look at."""

    type: Literal["image"]
    #: The picture itself, its address, or the id of an uploaded file.
    source: Union[ImageBlockParamSourceBase64, ImageBlockParamSourceUrl, ImageBlockParamSourceFile]
    #: Marks this block as the end of what should be cached.
    cache_control: NotRequired[Union[CacheControl, None]]


#: The kinds of pictures the API takes.
ImageMediaType = Literal["image/jpeg", "image/png", "image/gif", "image/webp"]


class McpAuthDetails(TypedDict):
    """What a server that wants a sign-in said about it."""

    #: Where it describes itself (RFC 9728).
    resourceMetadataUrl: NotRequired[str]
    #: Where one can sign in.
    authorizationServers: NotRequired[List[str]]
    #: What the token has to allow.
    scopes: NotRequired[List[str]]


class McpClaudeAIProxyServerConfig(TypedDict):
    """A server the original reaches through its own account; only ever seen in a status."""

    type: Literal["claudeai-proxy"]
    #: Its address.
    url: str
    #: Its id there.
    id: str


class McpHttpServerConfig(TypedDict):
    """A server over streamable HTTP."""

    #: Milliseconds one call of a tool may take; otherwise `MCP_TOOL_TIMEOUT` says. Below 1,000 it is ignored.
    timeout: NotRequired[float]
    #: The first turn waits for this server, and its tools are always in the request.
    alwaysLoad: NotRequired[bool]
    #: The server may put questions to the session's model (MCP sampling); permission is asked for each.
    sampling: NotRequired[bool]
    #: What is to be done about calls of single tools, whatever the permission mode.
    tools: NotRequired[List[McpServerToolPolicy]]
    #: No turn begins without it: the first one waits, and ends with an error if the server can't be reached.
    required: NotRequired[bool]
    #: The address of the server.
    url: str
    #: Headers for every request, such as `Authorization`.
    headers: NotRequired[Dict[str, str]]
    #: A command that prints further headers, as a JSON object; run at every connection.
    headersHelper: NotRequired[str]
    #: The name in `url` may lead to an address that is not of the public internet.
    allowPrivateAddress: NotRequired[bool]
    #: How to sign in, where what the server says about it is not enough.
    oauth: NotRequired[McpSignInConfig]
    type: Literal["http"]


class McpSSEServerConfig(TypedDict):
    """A server over server-sent events, as older ones have it."""

    #: Milliseconds one call of a tool may take; otherwise `MCP_TOOL_TIMEOUT` says. Below 1,000 it is ignored.
    timeout: NotRequired[float]
    #: The first turn waits for this server, and its tools are always in the request.
    alwaysLoad: NotRequired[bool]
    #: The server may put questions to the session's model (MCP sampling); permission is asked for each.
    sampling: NotRequired[bool]
    #: What is to be done about calls of single tools, whatever the permission mode.
    tools: NotRequired[List[McpServerToolPolicy]]
    #: No turn begins without it: the first one waits, and ends with an error if the server can't be reached.
    required: NotRequired[bool]
    #: The address of the server.
    url: str
    #: Headers for every request, such as `Authorization`.
    headers: NotRequired[Dict[str, str]]
    #: A command that prints further headers, as a JSON object; run at every connection.
    headersHelper: NotRequired[str]
    #: The name in `url` may lead to an address that is not of the public internet.
    allowPrivateAddress: NotRequired[bool]
    #: How to sign in, where what the server says about it is not enough.
    oauth: NotRequired[McpSignInConfig]
    type: Literal["sse"]


class McpSdkServerConfig(TypedDict):
    """A server that runs in the caller's own process."""

    type: Literal["sdk"]
    #: The server's name.
    name: str
    #: Milliseconds one call of a tool may take; otherwise `MCP_TOOL_TIMEOUT` says. Below 1,000 it is ignored.
    timeout: NotRequired[float]
    #: The server may put questions to the session's model (MCP sampling); permission is asked for each.
    sampling: NotRequired[bool]


#: The same as plain data, which can be sent to another process.
McpServerConfigForProcessTransport = Union["McpStdioServerConfig", "McpSSEServerConfig", "McpHttpServerConfig", "McpSdkServerConfig"]


class McpServerStatusServerInfo(TypedDict):
    """What the server says it is."""

    #: What the server calls itself.
    name: str
    #: Its version.
    version: str


class McpServerStatusToolsItemAnnotations(TypedDict):
    """Hints of the server about it."""

    #: It changes nothing.
    readOnly: NotRequired[bool]
    #: It may destroy something.
    destructive: NotRequired[bool]
    #: It deals with things outside.
    openWorld: NotRequired[bool]


class McpServerStatusToolsItem(TypedDict):
    #: The tool, without the server's name.
    name: str
    #: What the server says it does.
    description: NotRequired[str]
    #: Hints of the server about it.
    annotations: NotRequired[McpServerStatusToolsItemAnnotations]
    #: The address of its user interface (MCP Apps): `ui://…`.
    ui: NotRequired[str]


class McpServerStatus(TypedDict):
    """How an MCP server of the session is doing."""

    #: Its name in the configuration.
    name: str
    #: `connected` servers offer tools; `failed` says why in `error`; `needs-auth` waits for a login.
    status: Literal["connected", "failed", "needs-auth", "pending", "disabled"]
    #: What the server says it is.
    serverInfo: NotRequired[McpServerStatusServerInfo]
    #: Why it failed.
    error: NotRequired[str]
    #: With `needs-auth`: what a host needs to sign in.
    auth: NotRequired[McpAuthDetails]
    #: How it is reached, without its secrets.
    config: NotRequired[McpServerStatusConfig]
    #: Where it was configured: `user`, `project`, `local`, `dynamic` and others.
    scope: NotRequired[str]
    #: The tools it offers.
    tools: NotRequired[List[McpServerStatusToolsItem]]


#: How a server is reached, as its status tells it.
McpServerStatusConfig = Union["McpServerConfigForProcessTransport", "McpClaudeAIProxyServerConfig"]


class McpServerToolPolicy(TypedDict):
    """A server's tool, and whether its calls are allowed, asked for, or denied. Deny rules of the session come first."""

    #: The tool, as its server calls it.
    name: str
    #: `always_allow` counts for servers at an address only, and not where a project or plugin says so.
    permission_policy: NotRequired[Literal["always_allow", "always_ask", "always_deny"]]
    #: The most that an administrator leaves open.
    org_max_permission: NotRequired[Literal["allow", "ask", "blocked"]]


class McpSignInConfig(TypedDict):
    """Ours: how `kedge mcp login` signs in to a server. Texts can name environment variables, as in `${NAME}`."""

    #: The id of a client that was registered by hand.
    clientId: NotRequired[str]
    #: Its secret. Name an environment variable here.
    clientSecret: NotRequired[str]
    #: The https address of a document that describes this client.
    clientMetadataUrl: NotRequired[str]
    #: The only authorization server that may sign in. With a secret, always set it.
    issuer: NotRequired[str]
    #: What to ask for, in place of what the server asks for.
    scopes: NotRequired[List[str]]
    #: The port of `http://localhost` that the browser comes back to. Default: a free one.
    callbackPort: NotRequired[float]


class McpSignInRequest(TypedDict):
    """Ours: an MCP server wants a sign-in, and its user can do that now."""

    #: The server, by its name in the configuration.
    server: str
    #: Its address, without a query.
    url: str
    #: `offer`: nothing has begun. `visit`: the user is to visit the page at `address`.
    step: Literal["offer", "visit"]
    #: In step `visit`: the page of the authorization server.
    address: NotRequired[str]
    #: In step `visit`: the code that the page asks for, or shows.
    code: NotRequired[str]
    #: In step `visit`: if the page leads to an address that the browser can't open, the user can paste that address.
    canPaste: NotRequired[bool]
    #: Why the last attempt failed.
    problem: NotRequired[str]


class McpStdioServerConfig(TypedDict):
    """A server that is a program, spoken to over its stdin and stdout."""

    #: Milliseconds one call of a tool may take; otherwise `MCP_TOOL_TIMEOUT` says. Below 1,000 it is ignored.
    timeout: NotRequired[float]
    #: The first turn waits for this server, and its tools are always in the request.
    alwaysLoad: NotRequired[bool]
    #: The server may put questions to the session's model (MCP sampling); permission is asked for each.
    sampling: NotRequired[bool]
    #: What is to be done about calls of single tools, whatever the permission mode.
    tools: NotRequired[List[McpServerToolPolicy]]
    #: No turn begins without it: the first one waits, and ends with an error if the server can't be reached.
    required: NotRequired[bool]
    #: May be left out.
    type: NotRequired[Literal["stdio"]]
    #: The program to start.
    command: str
    #: Its arguments; no shell reads them.
    args: NotRequired[List[str]]
    #: Variables it gets in addition.
    env: NotRequired[Dict[str, str]]


class MessageParam(TypedDict):
    """A message as it is sent to the model."""

    #: The author of the message.
    role: Literal["user", "assistant", "system"]
    #: Text, or a list of content blocks.
    content: Union[str, List[ContentBlockParam]]


class ModelInfo(TypedDict):
    """A model the user can choose, as a list shows it."""

    #: What to pass as `model`.
    value: str
    #: Its name for people.
    displayName: str
    #: What it is good for, in a sentence.
    description: str
    #: Whether `effort` changes anything.
    supportsEffort: NotRequired[bool]
    #: The levels of `effort` it takes.
    supportedEffortLevels: NotRequired[List[EffortLevel]]
    #: Whether it decides itself how much to think.
    supportsAdaptiveThinking: NotRequired[bool]
    #: The setting `fastMode` counts for it.
    supportsFastMode: NotRequired[bool]


class ModelUsage(TypedDict):
    """What one model was used for, and what that cost."""

    #: Tokens it read that were not cached.
    inputTokens: float
    #: Tokens it wrote.
    outputTokens: float
    #: Tokens it read from the cache, at a tenth of the price.
    cacheReadInputTokens: float
    #: Tokens written to the cache, at more than the plain price.
    cacheCreationInputTokens: float
    #: Web searches it made.
    webSearchRequests: float
    #: What all of it cost, in US dollars, by the list prices.
    costUSD: float
    #: How many tokens fit into a request.
    contextWindow: float
    #: How many tokens an answer can have.
    maxOutputTokens: float


class NonNullableUsage(TypedDict):
    """`Usage` with nothing missing: what a `result` carries."""

    #: Tokens that were read and came from no cache.
    input_tokens: float
    #: Tokens that were written.
    output_tokens: float
    #: Tokens that were written to the cache.
    cache_creation_input_tokens: float
    #: Tokens that were read from the cache.
    cache_read_input_tokens: float
    #: How often tools of the API itself were used.
    server_tool_use: ServerToolUsage
    #: The service tier that answered.
    service_tier: Literal["standard", "priority", "batch"]
    #: What was written to the cache, by how long it is kept.
    cache_creation: CacheCreation
    #: Where the model ran, where the API says so.
    inference_geo: str
    #: What each round took, where the API made several.
    iterations: List[Dict[str, Any]]
    #: How fast the answer was asked for.
    speed: Literal["standard", "fast"]


#: Run it, refuse it, or ask.
PermissionBehavior = Literal["allow", "deny", "ask"]


class PermissionExplanation(TypedDict):
    """What would happen to a call. `ask` means: `canUseTool` is called, and without one the call is denied."""

    #: What would happen.
    behavior: PermissionBehavior
    #: What decided.
    layer: PermissionLayer
    #: The rule that decided, as the user would write it.
    rule: NotRequired[str]
    #: Where that rule came from.
    source: NotRequired[Union[PermissionUpdateDestination, Literal["flagSettings"], Literal["managedSettings"]]]
    #: In plain words.
    reason: str
    #: For a command line with several commands: what each of them would get on its own, in order.
    parts: NotRequired[List[PermissionPart]]


#: What decided: in this order, the first with an answer. `safety`: only a person may say yes. `default`: nothing else spoke.
PermissionLayer = Literal["hook", "deny", "ask", "safety", "mode", "allow", "sandbox", "default"]


#: How calls are decided that no rule covers. `default` asks for what can do harm, `acceptEdits` also runs edits inside the working directories, `plan` runs reads only, `dontAsk` denies what would ask, `bypassPermissions` runs everything (not for root). In `delegate` the main thread only reads, asks and hands work to agents.
PermissionMode = Literal["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "delegate"]


class PermissionPart(TypedDict):
    """One command of a command line, and what was decided about it."""

    #: The command.
    command: str
    #: What it would get by itself.
    behavior: PermissionBehavior
    #: What decided.
    layer: PermissionLayer
    #: The rule that decided, as the user would write it.
    rule: NotRequired[str]
    #: Why, in words.
    reason: str


class PermissionRuleValue(TypedDict):
    """`Bash(git log:*)` is `{toolName: 'Bash', ruleContent: 'git log:*'}`."""

    #: The tool the rule is for.
    toolName: str
    #: Which calls of it; all of them if not said.
    ruleContent: NotRequired[str]


class PermissionUpdateAddRules(TypedDict):
    #: The rules it is about.
    rules: List[PermissionRuleValue]
    #: What those rules say.
    behavior: PermissionBehavior
    #: Where the change is kept.
    destination: PermissionUpdateDestination
    type: Literal["addRules"]


class PermissionUpdateReplaceRules(TypedDict):
    #: The rules it is about.
    rules: List[PermissionRuleValue]
    #: What those rules say.
    behavior: PermissionBehavior
    #: Where the change is kept.
    destination: PermissionUpdateDestination
    type: Literal["replaceRules"]


class PermissionUpdateRemoveRules(TypedDict):
    #: The rules it is about.
    rules: List[PermissionRuleValue]
    #: What those rules say.
    behavior: PermissionBehavior
    #: Where the change is kept.
    destination: PermissionUpdateDestination
    type: Literal["removeRules"]


class PermissionUpdateSetMode(TypedDict):
    type: Literal["setMode"]
    #: The mode from now on.
    mode: PermissionMode
    #: Where the change is kept.
    destination: PermissionUpdateDestination


class PermissionUpdateAddDirectories(TypedDict):
    type: Literal["addDirectories"]
    #: The folders it is about.
    directories: List[str]
    #: Where the change is kept.
    destination: PermissionUpdateDestination


class PermissionUpdateRemoveDirectories(TypedDict):
    type: Literal["removeDirectories"]
    #: The folders it is about.
    directories: List[str]
    #: Where the change is kept.
    destination: PermissionUpdateDestination


#: A change to rules, mode or folders, and where it is kept.
PermissionUpdate = Union["PermissionUpdateAddRules", "PermissionUpdateReplaceRules", "PermissionUpdateRemoveRules", "PermissionUpdateSetMode", "PermissionUpdateAddDirectories", "PermissionUpdateRemoveDirectories"]


#: A settings file, or only this session.
PermissionUpdateDestination = Literal["userSettings", "projectSettings", "localSettings", "session", "cliArg"]


class Person(TypedDict):
    """The person who did something, as the interface knows them: the name of an editor, a token, or a user."""

    #: The name that interfaces show.
    name: str
    #: Where this person is: `web`, `terminal`, the name of an editor.
    interface: NotRequired[str]


class Prompt(TypedDict):
    """A prompt that a session has taken."""

    #: Default: `queue`.
    when: PromptTiming
    #: The caller's own: sending the same twice is one prompt.
    id: str
    #: Its text, or its text, images, and documents as blocks.
    content: Union[str, List[ContentBlockParam]]
    #: The sender.
    by: NotRequired[Person]


class PromptChangeQueued(TypedDict):
    change: Literal["queued"]
    #: The prompt itself.
    prompt: Prompt


class PromptChangeStarted(TypedDict):
    #: It is being worked on.
    change: Literal["started"]
    #: The id of the prompt.
    id: str
    #: Its `uuid` in the transcript.
    message: str
    #: It became part of the turn that was running.
    joined: NotRequired[Literal[True]]


class PromptChangeDone(TypedDict):
    change: Literal["done"]
    #: The id of the prompt.
    id: str
    #: The `uuid` of its result message.
    result: str


class PromptChangeInterrupted(TypedDict):
    #: The process ended, or the agent did, before there was a result.
    change: Literal["interrupted"]
    #: The id of the prompt.
    id: str
    #: Why, in a sentence.
    reason: str


class PromptChangeRemoved(TypedDict):
    change: Literal["removed"]
    #: The id of the prompt.
    id: str
    #: The person who took it back.
    by: NotRequired[Person]


class PromptChangeReordered(TypedDict):
    change: Literal["reordered"]
    #: The ids of those that wait, in their new order.
    order: List[str]


#: What becomes of a prompt. Each ends exactly once: `done`, `interrupted` or `removed`.
PromptChange = Union["PromptChangeQueued", "PromptChangeStarted", "PromptChangeDone", "PromptChangeInterrupted", "PromptChangeRemoved", "PromptChangeReordered"]


#: `queue`: after what is running and waiting. `steer`: the running turn reads it at the next safe point.
PromptTiming = Literal["queue", "steer"]


class ProviderBlock(TypedDict):
    """The API's other blocks. Kedge never makes them and passes them on, so only fields that readers use are listed."""

    #: Which tool or feature of the API it belongs to.
    type: Literal["advisor_tool_result", "code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result", "tool_search_tool_result", "container_upload", "mcp_tool_use", "mcp_tool_result", "mcp_tool_listing", "compaction", "fallback"]
    #: The ID of a call: its result names it.
    id: NotRequired[str]
    #: The tool of a call.
    name: NotRequired[str]
    #: The input of a call.
    input: NotRequired[Any]
    #: The call that a result answers.
    tool_use_id: NotRequired[str]
    #: The uploaded file it refers to.
    file_id: NotRequired[str]
    #: What a tool returned, or a summary, as the API has it.
    content: NotRequired[Any]


class RawStreamEventMessageStart(TypedDict):
    type: Literal["message_start"]
    #: The answer so far: with no content yet.
    message: AssistantMessage


class RawStreamEventContentBlockStart(TypedDict):
    type: Literal["content_block_start"]
    #: Which content block it is about, from 0.
    index: float
    #: The block as it begins.
    content_block: ContentBlock


class RawStreamEventContentBlockDelta(TypedDict):
    type: Literal["content_block_delta"]
    #: Which content block it is about, from 0.
    index: float
    #: What is new.
    delta: ContentDelta


class RawStreamEventContentBlockStop(TypedDict):
    type: Literal["content_block_stop"]
    #: Which content block it is about, from 0.
    index: float


class RawStreamEventMessageDeltaDelta(TypedDict):
    """What is new."""

    stop_reason: Union[StopReason, None]
    stop_sequence: Union[str, None]


class RawStreamEventMessageDeltaUsage(TypedDict):
    """The tokens so far; `null` means that `message_start` had the number."""

    input_tokens: NotRequired[Union[float, None]]
    #: Tokens that were written.
    output_tokens: NotRequired[float]
    #: Tokens that were written to the cache.
    cache_creation_input_tokens: NotRequired[Union[float, None]]
    #: Tokens that were read from the cache.
    cache_read_input_tokens: NotRequired[Union[float, None]]
    #: How often tools of the API itself were used.
    server_tool_use: NotRequired[Union[ServerToolUsage, None]]
    #: The service tier that answered.
    service_tier: NotRequired[Literal["standard", "priority", "batch", None]]
    #: What was written to the cache, by how long it is kept.
    cache_creation: NotRequired[Union[CacheCreation, None]]
    #: Where the model ran, where the API says so.
    inference_geo: NotRequired[Union[str, None]]
    #: What each round took, where the API made several.
    iterations: NotRequired[Union[List[Dict[str, Any]], None]]
    #: How fast the answer was asked for.
    speed: NotRequired[Literal["standard", "fast", None]]


class RawStreamEventMessageDelta(TypedDict):
    type: Literal["message_delta"]
    #: What is new.
    delta: RawStreamEventMessageDeltaDelta
    #: The tokens so far; `null` means that `message_start` had the number.
    usage: RawStreamEventMessageDeltaUsage


class RawStreamEventMessageStop(TypedDict):
    type: Literal["message_stop"]


#: An event of a streamed answer, as the Messages API sends it.
RawStreamEvent = Union["RawStreamEventMessageStart", "RawStreamEventContentBlockStart", "RawStreamEventContentBlockDelta", "RawStreamEventContentBlockStop", "RawStreamEventMessageDelta", "RawStreamEventMessageStop"]


class RedactedThinkingBlock(TypedDict):
    """Thinking that the API does not show, in encrypted form."""

    type: Literal["redacted_thinking"]
    #: The thinking, encrypted: to be sent back as it is.
    data: str


class RedactedThinkingBlockParam(TypedDict):
    """The same, sent back."""

    type: Literal["redacted_thinking"]
    #: The thinking, encrypted: to be sent back as it is.
    data: str


class RuleSuggestion(TypedDict):
    """A rule that would keep this from being asked again."""

    #: What an answer sends back in `updates` to set the rule.
    update: PermissionUpdate
    #: How the rule reads, such as `Bash(npm test:*)`.
    rule: str
    #: How far it goes: this session, the folder for everyone, the folder for you, or all your folders.
    scope: Literal["session", "project", "local", "user"]


class SDKAPIRetryMessage(TypedDict):
    """A model request failed and will be tried again after `retry_delay_ms`."""

    type: Literal["system"]
    subtype: Literal["api_retry"]
    #: Which retry it will be, from 1.
    attempt: float
    #: How many there may be.
    max_retries: float
    #: How long it waits before the retry.
    retry_delay_ms: float
    #: The HTTP status; null where there was no response.
    error_status: Union[float, None]
    #: The kind of error, as `SDKAssistantMessageError` names it.
    error: str
    #: Why there was no response, in a sentence for people; absent where there was one.
    cause: NotRequired[str]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKAssistantMessage(TypedDict):
    """One line per content block: lines of one API answer share `message.id`."""

    type: Literal["assistant"]
    #: The answer as the API gave it, with this one content block.
    message: AssistantMessage
    #: For a sub-agent, the call that started it. Null in the main conversation.
    parent_tool_use_id: Union[str, None]
    #: Set on lines Kedge wrote itself because the model could not answer.
    error: NotRequired[SDKAssistantMessageError]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


#: The reason why an assistant message has no response of the model.
SDKAssistantMessageError = Literal["authentication_failed", "billing_error", "rate_limit", "invalid_request", "server_error", "unknown", "max_output_tokens"]


class SDKAuthStatusMessage(TypedDict):
    """The progress of getting a key, sent before and after a run of `apiKeyHelper`."""

    type: Literal["auth_status"]
    #: Whether it is under way.
    isAuthenticating: bool
    #: What it has printed; never the key.
    output: List[str]
    #: Why it failed.
    error: NotRequired[str]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKBackgroundTasksChangedMessageTasksItem(TypedDict):
    #: The id of the work.
    task_id: str
    #: A command, an agent, and so on.
    task_type: str
    #: What it is, in a few words.
    description: str


class SDKBackgroundTasksChangedMessage(TypedDict):
    """The background work that is running now, whenever that changes."""

    type: Literal["system"]
    subtype: Literal["background_tasks_changed"]
    #: All of it, not only what changed.
    tasks: List[SDKBackgroundTasksChangedMessageTasksItem]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKCommandLifecycleMessage(TypedDict):
    """What became of a user message that had a `uuid`."""

    type: Literal["command_lifecycle"]
    #: The `uuid` of the user message.
    command_uuid: str
    #: How far it got: `folded` joined a running turn, `dropped` was never read by the model.
    state: Literal["queued", "started", "folded", "completed", "dropped"]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKCommandsChangedMessageCommandsItem(TypedDict):
    #: What to type, without the slash.
    name: str
    #: What it does.
    description: str
    #: What to write after it.
    argumentHint: str


class SDKCommandsChangedMessage(TypedDict):
    """All commands of the session, whenever servers brought or took some since `initialize` was answered."""

    type: Literal["system"]
    subtype: Literal["commands_changed"]
    #: All commands there are now.
    commands: List[SDKCommandsChangedMessageCommandsItem]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKCompactBoundaryMessageCompactMetadata(TypedDict):
    """What triggered it, and how many tokens the conversation had before."""

    #: `manual`: the user or host requested it. `auto`: the context was nearly full.
    trigger: Literal["manual", "auto"]
    #: Tokens the conversation had before.
    pre_tokens: float


class SDKCompactBoundaryMessage(TypedDict):
    """What was said before this point was replaced by a summary."""

    type: Literal["system"]
    subtype: Literal["compact_boundary"]
    #: What triggered it, and how many tokens the conversation had before.
    compact_metadata: SDKCompactBoundaryMessageCompactMetadata
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKControlGetContextUsageResponseCategoriesItem(TypedDict):
    #: A name for programs.
    id: NotRequired[str]
    #: A name for people.
    name: str
    #: How many tokens it takes.
    tokens: float
    #: Used, free, kept back, or not loaded yet.
    kind: Literal["used", "free", "buffer", "deferred"]


class SDKControlGetContextUsageResponse(TypedDict):
    """How full the context is, and of what."""

    #: What takes the room, in tokens.
    categories: List[SDKControlGetContextUsageResponseCategoriesItem]
    #: All that is used.
    totalTokens: float
    #: How much fits.
    maxTokens: float
    #: How much of it is used, from 0 to 100.
    percentage: float
    #: The model whose window it is.
    model: str
    #: Ours. Where the total is from: the `answer` the model gave last, the API's `count_tokens`, or, where there is neither, an `estimate` by length.
    counted: NotRequired[Literal["answer", "count_tokens", "estimate"]]


class SDKConversationResetMessage(TypedDict):
    """The conversation was cleared: what follows knows nothing of what was before."""

    type: Literal["conversation_reset"]
    #: The id that the conversation continues with.
    new_conversation_id: str
    trigger: Literal["clear"]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKDeferredToolUse(TypedDict):
    """The call that a `PreToolUse` hook deferred."""

    #: The id of the call.
    id: str
    #: The tool.
    name: str
    #: What it is called with.
    input: Dict[str, Any]


class SDKElicitationCompleteMessage(TypedDict):
    """What an MCP server sent the user to a page for is done."""

    type: Literal["system"]
    subtype: Literal["elicitation_complete"]
    #: The MCP server it comes from, by its name in the configuration.
    mcp_server_name: str
    #: Ties the question to its answer and to the notice that it is done.
    elicitation_id: str
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKFilesPersistedEventFilesItem(TypedDict):
    #: The file.
    filename: str
    #: The name of its copy.
    file_id: str


class SDKFilesPersistedEventFailedItem(TypedDict):
    #: The file.
    filename: str
    #: Why not.
    error: str


class SDKFilesPersistedEvent(TypedDict):
    """With `enableFileCheckpointing`: files the turn changed, of which copies were kept."""

    type: Literal["system"]
    subtype: Literal["files_persisted"]
    #: Files whose old state was kept.
    files: List[SDKFilesPersistedEventFilesItem]
    #: Files of which no copy could be made, and why.
    failed: List[SDKFilesPersistedEventFailedItem]
    #: When, as an ISO date.
    processed_at: str
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKHookProgressMessage(TypedDict):
    """What a running hook has printed so far."""

    type: Literal["system"]
    subtype: Literal["hook_progress"]
    #: The same in all messages about this run of the hook.
    hook_id: str
    #: The hook, as event and matcher name it.
    hook_name: str
    #: The event it runs for.
    hook_event: str
    #: What it wrote to stdout.
    stdout: str
    #: What it wrote to stderr.
    stderr: str
    #: Both together, as the user would see them.
    output: str
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKHookResponseMessage(TypedDict):
    """A hook has ended."""

    type: Literal["system"]
    subtype: Literal["hook_response"]
    #: The same in all messages about this run of the hook.
    hook_id: str
    #: The hook, as event and matcher name it.
    hook_name: str
    #: The event it runs for.
    hook_event: str
    #: Both together, as the user would see them.
    output: str
    #: What it wrote to stdout.
    stdout: str
    #: What it wrote to stderr.
    stderr: str
    #: Its exit code, where it was a command that ended by itself.
    exit_code: NotRequired[float]
    #: How it ended.
    outcome: Literal["success", "error", "cancelled"]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKHookStartedMessage(TypedDict):
    """A hook begins to run."""

    type: Literal["system"]
    subtype: Literal["hook_started"]
    #: The same in all messages about this run of the hook.
    hook_id: str
    #: The hook, as event and matcher name it.
    hook_name: str
    #: The event it runs for.
    hook_event: str
    #: What people read while it runs: `statusMessage` of its settings.
    status_message: NotRequired[str]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKInformationalMessage(TypedDict):
    """Information for the user that does not come from the model."""

    type: Literal["system"]
    subtype: Literal["informational"]
    #: The text.
    content: str
    #: How much it matters.
    level: Literal["notice", "warning", "error"]
    #: What it is about, for programs; docs/errors.md has the list.
    code: NotRequired[str]
    #: The facts, by name; which there are depends on the code.
    details: NotRequired[Dict[str, Union[str, None]]]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


#: Everything a query can yield: tell the messages apart by `type` and, for `system`, by `subtype`.
SDKMessage = Union["SDKAssistantMessage", "SDKUserMessage", "SDKUserMessageReplay", "SDKResultMessage", "SDKSystemMessage", "SDKPartialAssistantMessage", "SDKCompactBoundaryMessage", "SDKStatusMessage", "SDKHookStartedMessage", "SDKHookProgressMessage", "SDKHookResponseMessage", "SDKToolProgressMessage", "SDKAuthStatusMessage", "SDKTaskNotificationMessage", "SDKTaskStartedMessage", "SDKTaskProgressMessage", "SDKTaskUpdatedMessage", "SDKBackgroundTasksChangedMessage", "SDKCommandsChangedMessage", "SDKFilesPersistedEvent", "SDKToolUseSummaryMessage", "SDKElicitationCompleteMessage", "SDKRateLimitEvent", "SDKPromptSuggestionMessage", "SDKAPIRetryMessage", "SDKModelFallbackMessage", "SDKPermissionDeniedMessage", "SDKInformationalMessage", "SDKMirrorErrorMessage", "SDKCommandLifecycleMessage", "SDKConversationResetMessage", "SDKSessionStateChangedMessage"]


class SDKMessageOrigin(TypedDict):
    """Whose message it is. Kedge gives it back as it came."""

    #: A word of the host for where the message came from.
    kind: str


class SDKMirrorErrorMessageKey(TypedDict):
    """Which lines it is about."""

    #: The project, as the session store names it.
    projectKey: str
    #: The session.
    sessionId: str
    #: A part of the session, such as a sub-agent's conversation.
    subpath: NotRequired[str]


class SDKMirrorErrorMessage(TypedDict):
    """The caller's `sessionStore` did not take what belongs to the turn. It is tried again with what comes next, unless `code` is `session_fenced`: then another program writes to the session, and nothing more of this one is saved."""

    type: Literal["system"]
    subtype: Literal["mirror_error"]
    #: What the store said.
    error: str
    #: Set when another program writes to the session.
    code: NotRequired[Literal["session_fenced"]]
    #: Which lines it is about.
    key: SDKMirrorErrorMessageKey
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKModelFallbackMessage(TypedDict):
    """The turn continues with another model because the first one could not answer."""

    type: Literal["system"]
    subtype: Literal["model_fallback"]
    #: Why the model was changed.
    trigger: FallbackReason
    #: The model that was asked first.
    original_model: str
    #: The model that answers instead.
    fallback_model: str
    #: The same as a sentence for people.
    content: str
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKPartialAssistantMessage(TypedDict):
    """A piece of an answer while it comes in; only with `includePartialMessages`."""

    type: Literal["stream_event"]
    #: The event as the API sent it.
    event: RawStreamEvent
    #: For a sub-agent, the call that started it. Null in the main conversation.
    parent_tool_use_id: Union[str, None]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKPermissionDenial(TypedDict):
    """A call that was denied."""

    #: The tool that was called.
    tool_name: str
    #: The id of the call.
    tool_use_id: str
    #: What it was called with.
    tool_input: Dict[str, Any]


class SDKPermissionDeniedMessage(TypedDict):
    """A call was denied without a permission request: by a rule, by a mode, or because no one can be asked."""

    type: Literal["system"]
    subtype: Literal["permission_denied"]
    #: The tool that was called.
    tool_name: str
    #: The id of the call.
    tool_use_id: str
    #: The sub-agent that made it, if one did.
    agent_id: NotRequired[str]
    #: What kind of thing denied it, such as `rule` or `mode`.
    decision_reason_type: NotRequired[str]
    #: The same in words.
    decision_reason: NotRequired[str]
    #: What the model reads. Not `message`, as newer releases call it: programs expect `message.content` wherever that key is.
    content: str
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKPromptSuggestionMessage(TypedDict):
    """What the user might want to say next; only with `promptSuggestions`."""

    type: Literal["prompt_suggestion"]
    #: The suggested prompt.
    suggestion: str
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKRateLimitEvent(TypedDict):
    """How close the account is to its limits."""

    type: Literal["rate_limit_event"]
    #: The limits as the API tells them.
    rate_limit_info: SDKRateLimitInfo
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


#: As the API tells it; Kedge sends none.
SDKRateLimitInfo = Dict[str, Any]


class SDKResultErrorPendingTasksItem(TypedDict):
    #: The id of the work.
    task_id: str
    #: A command, an agent, and so on.
    task_type: str
    #: What it is, in a few words.
    description: str


class SDKResultError(TypedDict):
    """The end of a turn that did not get to its end."""

    #: What kind of end it was.
    subtype: Literal["error_during_execution", "error_max_turns", "error_max_budget_usd", "error_max_structured_output_retries"]
    #: What went wrong, in words.
    errors: List[str]
    type: Literal["result"]
    #: How long the turn took, in all.
    duration_ms: float
    #: How much of it was spent waiting for the model.
    duration_api_ms: float
    #: Whether the turn failed; look at `error_code` and `terminal_reason` for why.
    is_error: bool
    #: How many answers of the model the turn took.
    num_turns: float
    #: Why the model stopped its last answer.
    stop_reason: Union[str, None]
    #: Cost of this `query()` (agent process), like `modelUsage` and `duration_api_ms`: it accumulates over its turns.
    total_cost_usd: float
    #: Usage of this turn only.
    usage: NonNullableUsage
    #: What was used, by model.
    modelUsage: Dict[str, ModelUsage]
    #: The calls that were denied in this turn.
    permission_denials: List[SDKPermissionDenial]
    #: Why the turn ended, in one word.
    terminal_reason: NotRequired[TerminalReason]
    #: The stamp of the message that began the turn, where the host gave it one.
    origin: NotRequired[SDKMessageOrigin]
    #: The `uuid` of the message that began the turn, where the host gave it one.
    user_message_uuid: NotRequired[UUID]
    #: With what the session cost before it was resumed; absent where nothing was before.
    session_total_cost_usd: NotRequired[float]
    #: The same by model.
    session_model_usage: NotRequired[Dict[str, ModelUsage]]
    #: From 0 to 1: how much of all that this session's models read came from the cache; absent where nothing was cached.
    cache_hit_rate: NotRequired[float]
    #: Our error code, when the turn failed.
    error_code: NotRequired[str]
    #: What to do about it, for people.
    error_fix: NotRequired[str]
    #: Background work that outlives this turn.
    pending_tasks: NotRequired[List[SDKResultErrorPendingTasksItem]]
    #: Models this session used whose price is not known; their cost counts as 0.
    unpriced_models: NotRequired[List[str]]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


#: The end of a turn: there is exactly one for each user message.
SDKResultMessage = Union["SDKResultSuccess", "SDKResultError"]


class SDKResultSuccessPendingTasksItem(TypedDict):
    #: The id of the work.
    task_id: str
    #: A command, an agent, and so on.
    task_type: str
    #: What it is, in a few words.
    description: str


class SDKResultSuccess(TypedDict):
    """The end of a turn that got to its end."""

    subtype: Literal["success"]
    #: The last text of the model.
    result: str
    #: The answer as data, checked against the schema of `outputFormat`.
    structured_output: NotRequired[Any]
    #: The call that is left open, with `terminal_reason: 'tool_deferred'`.
    deferred_tool_use: NotRequired[SDKDeferredToolUse]
    type: Literal["result"]
    #: How long the turn took, in all.
    duration_ms: float
    #: How much of it was spent waiting for the model.
    duration_api_ms: float
    #: Whether the turn failed; look at `error_code` and `terminal_reason` for why.
    is_error: bool
    #: How many answers of the model the turn took.
    num_turns: float
    #: Why the model stopped its last answer.
    stop_reason: Union[str, None]
    #: Cost of this `query()` (agent process), like `modelUsage` and `duration_api_ms`: it accumulates over its turns.
    total_cost_usd: float
    #: Usage of this turn only.
    usage: NonNullableUsage
    #: What was used, by model.
    modelUsage: Dict[str, ModelUsage]
    #: The calls that were denied in this turn.
    permission_denials: List[SDKPermissionDenial]
    #: Why the turn ended, in one word.
    terminal_reason: NotRequired[TerminalReason]
    #: The stamp of the message that began the turn, where the host gave it one.
    origin: NotRequired[SDKMessageOrigin]
    #: The `uuid` of the message that began the turn, where the host gave it one.
    user_message_uuid: NotRequired[UUID]
    #: With what the session cost before it was resumed; absent where nothing was before.
    session_total_cost_usd: NotRequired[float]
    #: The same by model.
    session_model_usage: NotRequired[Dict[str, ModelUsage]]
    #: From 0 to 1: how much of all that this session's models read came from the cache; absent where nothing was cached.
    cache_hit_rate: NotRequired[float]
    #: Our error code, when the turn failed.
    error_code: NotRequired[str]
    #: What to do about it, for people.
    error_fix: NotRequired[str]
    #: Background work that outlives this turn.
    pending_tasks: NotRequired[List[SDKResultSuccessPendingTasksItem]]
    #: Models this session used whose price is not known; their cost counts as 0.
    unpriced_models: NotRequired[List[str]]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKSessionStateChangedMessage(TypedDict):
    """Tells whether the agent is idle: hosts, so that they can close stdin, and callers that asked for it."""

    type: Literal["system"]
    subtype: Literal["session_state_changed"]
    #: `requires_action`: the session waits for an answer.
    state: Literal["idle", "running", "requires_action"]
    #: The SDK keeps it to itself.
    sdk_host_only: NotRequired[Literal[True]]
    #: How many user messages the agent has read so far: tells the host whether `idle` covers all it sent.
    user_messages: NotRequired[float]
    #: Background work that continues although the agent is idle (`onTurnEnd: 'detach'`).
    background_tasks: NotRequired[float]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


#: What the session is busy with besides answering.
SDKStatus = Literal["compacting", None]


class SDKStatusMessage(TypedDict):
    """The session began or ended something that takes a while, or its permission mode changed."""

    type: Literal["system"]
    subtype: Literal["status"]
    #: What it is busy with; null: nothing.
    status: SDKStatus
    #: The mode that holds now.
    permissionMode: NotRequired[PermissionMode]
    #: How the compaction ended.
    compact_result: NotRequired[str]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKSystemMessageMcpServersItem(TypedDict):
    #: The server, by its name in the configuration.
    name: str
    #: Whether it is connected.
    status: str


class SDKSystemMessagePluginsItem(TypedDict):
    #: The plugin.
    name: str
    #: Its folder.
    path: str


class SDKSystemMessage(TypedDict):
    """Opens every processed user message."""

    type: Literal["system"]
    subtype: Literal["init"]
    #: Names of the sub-agents there are.
    agents: NotRequired[List[str]]
    #: Where the credential for the model was found.
    apiKeySource: ApiKeySource
    #: Betas of the API that are switched on.
    betas: NotRequired[List[str]]
    #: The release of the original whose protocol is spoken.
    claude_code_version: str
    #: The working folder.
    cwd: str
    #: Names of the tools the model is offered.
    tools: List[str]
    #: The MCP servers, and how each is.
    mcp_servers: List[SDKSystemMessageMcpServersItem]
    #: The model that will answer.
    model: str
    #: The permission mode that holds.
    permissionMode: PermissionMode
    #: Names of the slash commands there are.
    slash_commands: List[str]
    #: The output style that holds.
    output_style: str
    #: Names of the skills there are.
    skills: List[str]
    #: The plugins that are loaded, and their folders.
    plugins: List[SDKSystemMessagePluginsItem]
    #: Whether faster answers are on, for models that have them.
    fast_mode_state: NotRequired[Literal["off", "on", "cooldown"]]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKTaskNotificationMessageUsage(TypedDict):
    """Tokens, calls and time it took so far."""

    total_tokens: float
    tool_uses: float
    duration_ms: float


class SDKTaskNotificationMessage(TypedDict):
    """Background work has ended."""

    type: Literal["system"]
    subtype: Literal["task_notification"]
    #: The id of the background work.
    task_id: str
    #: The call that started it.
    tool_use_id: NotRequired[str]
    #: How the task ended. `stopped`: a user, the host, or the model stopped it.
    status: Literal["completed", "failed", "stopped"]
    #: The file with all it printed or said.
    output_file: str
    #: A line about what it was and how it ended.
    summary: str
    #: Tokens, calls and time it took so far.
    usage: NotRequired[SDKTaskNotificationMessageUsage]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKTaskProgressMessageUsage(TypedDict):
    """Tokens, calls and time it took so far."""

    total_tokens: float
    tool_uses: float
    duration_ms: float


class SDKTaskProgressMessage(TypedDict):
    """Background work continues."""

    type: Literal["system"]
    subtype: Literal["task_progress"]
    #: The id of the background work.
    task_id: str
    #: The call that started it.
    tool_use_id: NotRequired[str]
    #: What it is, in a few words.
    description: str
    #: The kind of sub-agent.
    subagent_type: NotRequired[str]
    #: Tokens, calls and time it took so far.
    usage: SDKTaskProgressMessageUsage
    #: The tool it used last.
    last_tool_name: NotRequired[str]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKTaskStartedMessage(TypedDict):
    """Background work has begun."""

    type: Literal["system"]
    subtype: Literal["task_started"]
    #: The id of the background work.
    task_id: str
    #: The call that started it.
    tool_use_id: NotRequired[str]
    #: What it is, in a few words.
    description: str
    #: A command, an agent, and so on.
    task_type: NotRequired[str]
    #: For an agent, the tools it has.
    tools: NotRequired[List[str]]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKTaskUpdatedMessagePatch(TypedDict):
    """Only what changed."""

    #: How it is now.
    status: NotRequired[Literal["pending", "running", "completed", "failed", "killed", "paused"]]
    #: What it is, in a few words.
    description: NotRequired[str]
    #: When it ended, in milliseconds since 1970.
    end_time: NotRequired[float]
    #: What went wrong.
    error: NotRequired[str]
    #: Whether the turn no longer waits for it.
    is_backgrounded: NotRequired[bool]


class SDKTaskUpdatedMessage(TypedDict):
    """Something about background work changed."""

    type: Literal["system"]
    subtype: Literal["task_updated"]
    #: The id of the background work.
    task_id: str
    #: Only what changed.
    patch: SDKTaskUpdatedMessagePatch
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKToolProgressMessage(TypedDict):
    """A tool is still running."""

    type: Literal["tool_progress"]
    #: The id of the call.
    tool_use_id: str
    #: The tool that runs.
    tool_name: str
    #: For a sub-agent, the call that started it. Null in the main conversation.
    parent_tool_use_id: Union[str, None]
    #: How long it has been running.
    elapsed_time_seconds: float
    #: The background work it is, if it is that.
    task_id: NotRequired[str]
    #: What it printed since the last one; empty when it begins to run. Only with `includeToolOutput`.
    output: NotRequired[str]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKToolUseSummaryMessage(TypedDict):
    """A line about a few calls that belong together."""

    type: Literal["tool_use_summary"]
    #: The line.
    summary: str
    #: The calls it sums up.
    preceding_tool_use_ids: List[str]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


class SDKUserMessage(TypedDict):
    """What a host sends, and what tool results look like on their way back."""

    type: Literal["user"]
    #: What was said: text, or content blocks.
    message: MessageParam
    #: For a sub-agent, the call that started it. Null in the main conversation.
    parent_tool_use_id: Union[str, None]
    #: True when no person wrote it.
    isSynthetic: NotRequired[bool]
    #: For a tool result, the same as data, in the shape that `kedge/sdk-tools` gives for the tool.
    tool_use_result: NotRequired[Any]
    #: An id of the host's for it; messages about it and checkpoints name it.
    uuid: NotRequired[UUID]
    #: The session it is for; may be empty, it goes to the one that is running.
    session_id: str
    #: A stamp of the host, as newer releases have it: it comes back in the `result` of its turn.
    origin: NotRequired[SDKMessageOrigin]


class SDKUserMessageReplay(TypedDict):
    """A user message given back to the host (`--replay-user-messages`, local commands)."""

    type: Literal["user"]
    #: What was said: text, or content blocks.
    message: MessageParam
    #: For a sub-agent, the call that started it. Null in the main conversation.
    parent_tool_use_id: Union[str, None]
    #: True when no person wrote it.
    isSynthetic: NotRequired[bool]
    #: For a tool result, the same as data, in the shape that `kedge/sdk-tools` gives for the tool.
    tool_use_result: NotRequired[Any]
    #: Tells it from a new message.
    isReplay: Literal[True]
    #: The id of this message.
    uuid: UUID
    #: The session it belongs to.
    session_id: str


SdkDeltaMessage = Union["SDKPartialAssistantMessage", "SDKToolProgressMessage"]


class SearchResultBlockParamCitations(TypedDict):
    """Sources, or whether the model should name them."""

    #: Whether the model should name its sources.
    enabled: NotRequired[bool]


class SearchResultBlockParam(TypedDict):
    """Something found, for the model to quote from."""

    type: Literal["search_result"]
    #: Its text.
    content: List[TextBlockParam]
    #: Where it was found.
    source: str
    #: Its title.
    title: str
    #: Marks this block as the end of what should be cached.
    cache_control: NotRequired[Union[CacheControl, None]]
    #: Sources, or whether the model should name them.
    citations: NotRequired[SearchResultBlockParamCitations]


class ServerToolUsage(TypedDict):
    """How often tools of the API itself were used."""

    #: Searches of the web.
    web_search_requests: float
    #: Pages that were fetched.
    web_fetch_requests: float


class ServerToolUseBlock(TypedDict):
    """Tools that run on the provider's side, and their results, kept as they came."""

    type: Literal["server_tool_use"]
    #: The id of the call.
    id: str
    #: The tool.
    name: str
    #: What it is called with.
    input: Any


class SessionMessage(TypedDict):
    """A line of a stored conversation."""

    #: The author of the message; `system` marks events such as a compaction.
    type: Literal["user", "assistant", "system"]
    #: Names the message, in `forkSession`, `resumeSessionAt` and others.
    uuid: UUID
    #: The session it belongs to.
    session_id: str
    #: For `user` and `assistant`, the message as the model API has it.
    message: Any
    #: The call that started the sub-agent that said it; null in the main conversation.
    parent_tool_use_id: Union[str, None]
    #: The sub-agent that started the one this belongs to; null at the top.
    parent_agent_id: Union[str, None]
    #: When it was said, in ISO 8601.
    timestamp: NotRequired[str]
    #: For a `system` line, what it is about, such as `compact_boundary`.
    subtype: NotRequired[str]


#: `running`: a turn is under way; `needs-you`: it waits for an answer; `done`: closed; `error`: it can't continue.
SessionStatus = Literal["running", "needs-you", "idle", "done", "error"]


class SlashCommand(TypedDict):
    """A command the user can type, as a list shows it."""

    #: Its name, without the slash.
    name: str
    #: What it does, in a sentence.
    description: str
    #: What to write after it, such as `[file]`; empty where it takes nothing.
    argumentHint: str


class StateChangeRewound(TypedDict):
    """The conversation went back to before this message: what the log has from there on isn't part of it any more."""

    #: The `uuid` of that message.
    message: str


class StateChange(TypedDict):
    """What changed about the session itself; only the fields that did."""

    #: In the first entry: where it works.
    cwd: NotRequired[str]
    #: What it's doing.
    status: NotRequired[SessionStatus]
    #: Null: it has none any more.
    title: NotRequired[Union[str, None]]
    #: The permission mode.
    mode: NotRequired[PermissionMode]
    #: The model.
    model: NotRequired[str]
    #: The effort the model is asked for.
    effort: NotRequired[str]
    #: Put away, or back.
    archived: NotRequired[bool]
    #: Why it can't continue. Null: it can again.
    error: NotRequired[Union[str, None]]
    #: The conversation went back to before this message: what the log has from there on isn't part of it any more.
    rewound: NotRequired[StateChangeRewound]
    #: The person who changed it.
    by: NotRequired[Person]


#: Why the model stopped writing.
StopReason = Literal["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded", "compaction"]


#: Why a turn ended; finer than `subtype`, present on every result of Kedge.
TerminalReason = Literal["completed", "max_turns", "budget_exhausted", "max_tokens", "max_tool_calls", "permission_required", "mcp_required", "aborted_streaming", "aborted_tools", "interrupted_by_permission", "hook_stopped", "stop_hook_prevented", "prompt_blocked", "max_output_tokens", "refusal", "empty_response", "api_error", "not_authenticated", "invalid_input", "resume_failed", "root_refused", "timeout", "internal_error", "structured_output_retries_exhausted", "background_cancelled", "waiting", "tool_deferred", "yielded", "session_taken_over", "session_store_failed"]


class TextBlock(TypedDict):
    """Text of the model."""

    type: Literal["text"]
    #: The text.
    text: str
    #: Its sources.
    citations: NotRequired[Union[List[TextCitation], None]]


class TextBlockParam(TypedDict):
    """Text for the model."""

    type: Literal["text"]
    #: The text.
    text: str
    #: Marks this block as the end of what should be cached.
    cache_control: NotRequired[Union[CacheControl, None]]
    #: Sources, or whether the model should name them.
    citations: NotRequired[Union[List[TextCitation], None]]


class TextCitationCharLocation(TypedDict):
    type: Literal["char_location"]
    #: Where the quote begins, in characters.
    start_char_index: float
    #: Where it ends, in characters.
    end_char_index: float
    #: The words that are quoted.
    cited_text: str
    #: Which document of the request, from 0.
    document_index: float
    #: Its title.
    document_title: Union[str, None]


class TextCitationPageLocation(TypedDict):
    type: Literal["page_location"]
    #: The page it begins on, from 1.
    start_page_number: float
    #: The page after the last.
    end_page_number: float
    #: The words that are quoted.
    cited_text: str
    #: Which document of the request, from 0.
    document_index: float
    #: Its title.
    document_title: Union[str, None]


class TextCitationContentBlockLocation(TypedDict):
    type: Literal["content_block_location"]
    #: The block it begins in, from 0.
    start_block_index: float
    #: The block after the last.
    end_block_index: float
    #: The words that are quoted.
    cited_text: str
    #: Which document of the request, from 0.
    document_index: float
    #: Its title.
    document_title: Union[str, None]


class TextCitationWebSearchResultLocation(TypedDict):
    type: Literal["web_search_result_location"]
    #: The words that are quoted.
    cited_text: str
    #: Where it stands in a found page: to be sent back as it is.
    encrypted_index: str
    #: The title of the page or result.
    title: Union[str, None]
    #: The address of the page.
    url: str


class TextCitationSearchResultLocation(TypedDict):
    type: Literal["search_result_location"]
    #: The words that are quoted.
    cited_text: str
    #: Which search result of the request, from 0.
    search_result_index: float
    #: Where that result was found.
    source: str
    #: The title of the page or result.
    title: Union[str, None]
    #: The block it begins in, from 0.
    start_block_index: float
    #: The block after the last.
    end_block_index: float


#: Where a piece of text comes from.
TextCitation = Union["TextCitationCharLocation", "TextCitationPageLocation", "TextCitationContentBlockLocation", "TextCitationWebSearchResultLocation", "TextCitationSearchResultLocation"]


class ThinkingBlock(TypedDict):
    """What the model thought before it answered."""

    type: Literal["thinking"]
    #: The thinking, in words.
    thinking: str
    #: Proves to the API that the thinking is its own.
    signature: str


class ThinkingBlockParam(TypedDict):
    """The same, sent back."""

    type: Literal["thinking"]
    #: The thinking, in words.
    thinking: str
    #: Proves to the API that the thinking is its own.
    signature: str


class ToolChangeBlockParam(TypedDict):
    """Adds tools to a conversation, or removes them. Only requests have it."""

    #: Whether the tool is added or removed.
    type: Literal["tool_addition", "tool_removal"]
    #: The tool or the reference to it, as the API has it.
    tool: Any


class ToolReferenceBlockParam(TypedDict):
    """Names a tool that was found by search, so that the model may use it."""

    type: Literal["tool_reference"]
    #: The name of the tool.
    tool_name: str
    #: Marks this block as the end of what should be cached.
    cache_control: NotRequired[Union[CacheControl, None]]


class ToolResultBlockParam(TypedDict):
    """What a tool gave back."""

    type: Literal["tool_result"]
    #: The call it answers.
    tool_use_id: str
    #: Text, or blocks such as pictures.
    content: NotRequired[Union[str, List[ToolResultContent]]]
    #: True: the call failed, and the content says why.
    is_error: NotRequired[bool]
    #: Marks this block as the end of what should be cached.
    cache_control: NotRequired[Union[CacheControl, None]]


#: A part of a tool's result.
ToolResultContent = Union["TextBlockParam", "ImageBlockParam", "DocumentBlockParam", "SearchResultBlockParam", "ToolReferenceBlockParam", "BrowserStateBlockParam"]


class ToolUseBlock(TypedDict):
    """A tool call of the model."""

    type: Literal["tool_use"]
    #: The id of the call: its result names it.
    id: str
    #: The tool.
    name: str
    #: What it is called with.
    input: Any


class ToolUseBlockParam(TypedDict):
    """The same, sent back."""

    type: Literal["tool_use"]
    #: The id of the call: its result names it.
    id: str
    #: The tool.
    name: str
    #: What it is called with.
    input: Any
    #: Marks this block as the end of what should be cached.
    cache_control: NotRequired[Union[CacheControl, None]]


#: An id such as `0f9c1c52-3c0e-4b0c-8d0e-6a2f6f2b7c11`.
UUID = str


class Usage(TypedDict):
    """The tokens of one answer, as the API counts them."""

    #: Tokens that were read and came from no cache.
    input_tokens: float
    #: Tokens that were written.
    output_tokens: float
    #: Tokens that were written to the cache.
    cache_creation_input_tokens: Union[float, None]
    #: Tokens that were read from the cache.
    cache_read_input_tokens: Union[float, None]
    #: How often tools of the API itself were used.
    server_tool_use: NotRequired[Union[ServerToolUsage, None]]
    #: The service tier that answered.
    service_tier: NotRequired[Literal["standard", "priority", "batch", None]]
    #: What was written to the cache, by how long it is kept.
    cache_creation: NotRequired[Union[CacheCreation, None]]
    #: Where the model ran, where the API says so.
    inference_geo: NotRequired[Union[str, None]]
    #: What each round took, where the API made several.
    iterations: NotRequired[Union[List[Dict[str, Any]], None]]
    #: How fast the answer was asked for.
    speed: NotRequired[Literal["standard", "fast", None]]


class WebFetchToolResultBlock(TypedDict):
    """A page that the API itself fetched."""

    type: Literal["web_fetch_tool_result"]
    #: The call it answers.
    tool_use_id: str
    #: What it gave, as the API has it.
    content: Any


class WebSearchToolResultBlock(TypedDict):
    """What the API itself found on the web."""

    type: Literal["web_search_tool_result"]
    #: The call it answers.
    tool_use_id: str
    #: What it gave, as the API has it.
    content: Any


class UniversalPartText(TypedDict):
    type: Literal["text"]
    text: str


class UniversalPartJson(TypedDict):
    type: Literal["json"]
    #: Content without another form.
    json: Any


class UniversalPartToolCall(TypedDict):
    type: Literal["tool_call"]
    name: str
    arguments: str
    call_id: str


class UniversalPartToolResult(TypedDict):
    type: Literal["tool_result"]
    call_id: str
    output: str


class UniversalPartFileRef(TypedDict):
    type: Literal["file_ref"]
    path: str
    action: Literal["read", "write", "patch"]
    diff: Union[str, None]


class UniversalPartImage(TypedDict):
    type: Literal["image"]
    path: str
    mime: Union[str, None]


class UniversalPartReasoning(TypedDict):
    type: Literal["reasoning"]
    text: str
    visibility: Literal["public", "private"]


class UniversalPartStatus(TypedDict):
    type: Literal["status"]
    label: str
    detail: Union[str, None]


UniversalPart = Union["UniversalPartText", "UniversalPartJson", "UniversalPartToolCall", "UniversalPartToolResult", "UniversalPartFileRef", "UniversalPartImage", "UniversalPartReasoning", "UniversalPartStatus"]


class UniversalItem(TypedDict):
    item_id: str
    native_item_id: Union[str, None]
    parent_id: Union[str, None]
    kind: Literal["message", "tool_call", "tool_result", "system", "status"]
    role: Literal["user", "assistant", "system", "tool"]
    status: Literal["in_progress", "completed", "failed"]
    content: List[UniversalPart]


class UniversalSessionStartedData(TypedDict):
    metadata: Dict[str, Any]


class UniversalSessionStarted(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["session.started"]
    data: UniversalSessionStartedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalSessionEndedData(TypedDict):
    reason: str
    terminated_by: str
    message: Union[str, None]


class UniversalSessionEnded(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["session.ended"]
    data: UniversalSessionEndedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalTurnStartedData(TypedDict):
    phase: Literal["started", "ended"]
    turn_id: str
    metadata: Dict[str, Any]


class UniversalTurnStarted(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["turn.started"]
    data: UniversalTurnStartedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalTurnEndedData(TypedDict):
    phase: Literal["started", "ended"]
    turn_id: str
    metadata: Dict[str, Any]


class UniversalTurnEnded(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["turn.ended"]
    data: UniversalTurnEndedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalItemStartedData(TypedDict):
    item: UniversalItem


class UniversalItemStarted(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["item.started"]
    data: UniversalItemStartedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalItemDeltaData(TypedDict):
    item_id: str
    native_item_id: Union[str, None]
    delta: str


class UniversalItemDelta(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["item.delta"]
    data: UniversalItemDeltaData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalItemCompletedData(TypedDict):
    item: UniversalItem


class UniversalItemCompleted(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["item.completed"]
    data: UniversalItemCompletedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalPermissionRequestedData(TypedDict):
    permission_id: str
    action: str
    status: str
    metadata: Dict[str, Any]


class UniversalPermissionRequested(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["permission.requested"]
    data: UniversalPermissionRequestedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalPermissionResolvedData(TypedDict):
    permission_id: str
    action: str
    status: str
    metadata: Dict[str, Any]


class UniversalPermissionResolved(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["permission.resolved"]
    data: UniversalPermissionResolvedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalQuestionRequestedData(TypedDict):
    question_id: str
    prompt: str
    options: List[str]
    status: str


class UniversalQuestionRequested(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["question.requested"]
    data: UniversalQuestionRequestedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalQuestionResolvedData(TypedDict):
    question_id: str
    prompt: str
    options: List[str]
    status: str
    response: Union[str, None]


class UniversalQuestionResolved(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["question.resolved"]
    data: UniversalQuestionResolvedData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


class UniversalErrorData(TypedDict):
    message: str
    code: Union[str, None]


class UniversalError(TypedDict):
    event_id: str
    sequence: int
    time: str
    session_id: str
    native_session_id: str
    source: Literal["agent", "daemon"]
    synthetic: bool
    type: Literal["error"]
    data: UniversalErrorData
    raw: NotRequired[Union[SDKMessage, Ask, RequestAnswer, RequestWithdrawal, PromptChange, StateChange]]


#: One event of the universal API: the `data` of a server-sent event, as JSON.
UniversalEvent = Union["UniversalSessionStarted", "UniversalSessionEnded", "UniversalTurnStarted", "UniversalTurnEnded", "UniversalItemStarted", "UniversalItemDelta", "UniversalItemCompleted", "UniversalPermissionRequested", "UniversalPermissionResolved", "UniversalQuestionRequested", "UniversalQuestionResolved", "UniversalError"]


class MessageEntry(TypedDict):
    """A message of the agent, as it is."""

    session: str
    #: The entry's number in its session: from 1, without gaps.
    seq: int
    at: str
    kind: Literal["message"]
    data: SDKMessage
    #: The entry's number in the stream over all sessions; only there.
    all: NotRequired[int]


class AskEntry(TypedDict):
    """A request waits for an answer."""

    session: str
    #: The entry's number in its session: from 1, without gaps.
    seq: int
    at: str
    kind: Literal["ask"]
    data: Ask
    #: The entry's number in the stream over all sessions; only there.
    all: NotRequired[int]


class AnsweredEntry(TypedDict):
    """A request was answered."""

    session: str
    #: The entry's number in its session: from 1, without gaps.
    seq: int
    at: str
    kind: Literal["answered"]
    data: RequestAnswer
    #: The entry's number in the stream over all sessions; only there.
    all: NotRequired[int]


class WithdrawnEntry(TypedDict):
    """A request no longer needs an answer; it counts as denied."""

    session: str
    #: The entry's number in its session: from 1, without gaps.
    seq: int
    at: str
    kind: Literal["withdrawn"]
    data: RequestWithdrawal
    #: The entry's number in the stream over all sessions; only there.
    all: NotRequired[int]


class PromptEntry(TypedDict):
    """A prompt's progress."""

    session: str
    #: The entry's number in its session: from 1, without gaps.
    seq: int
    at: str
    kind: Literal["prompt"]
    data: PromptChange
    #: The entry's number in the stream over all sessions; only there.
    all: NotRequired[int]


class StateEntry(TypedDict):
    """A change of the session itself."""

    session: str
    #: The entry's number in its session: from 1, without gaps.
    seq: int
    at: str
    kind: Literal["state"]
    data: StateChange
    #: The entry's number in the stream over all sessions; only there.
    all: NotRequired[int]


class Session(TypedDict):
    id: str
    cwd: str
    status: Literal["running", "needs-you", "idle", "done", "error"]
    title: NotRequired[str]
    mode: NotRequired[Literal["default", "acceptEdits", "plan", "dontAsk", "delegate", "bypassPermissions"]]
    model: NotRequired[str]
    effort: NotRequired[str]
    archived: bool
    costUsd: float
    #: Milliseconds since 1970.
    lastActivity: float
    isOpen: bool
    #: The number of the last log entry.
    seq: int
    waiting: int
    asks: int
    error: NotRequired[str]
    #: `failed`: the last turn ended with an error that no user caused.
    lastTurn: NotRequired[Literal["failed"]]


class SessionPage(TypedDict):
    sessions: List[Session]
    next: NotRequired[str]
    #: The stream over all sessions continues after this number.
    last: int


class RequestAnswer(TypedDict):
    ask: str
    answer: AskAnswer
    by: Person


class RequestWithdrawal(TypedDict):
    ask: str
    reason: str


#: One numbered item of a log. `kind` says what `data` is.
Entry = Union["MessageEntry", "AskEntry", "AnsweredEntry", "WithdrawnEntry", "PromptEntry", "StateEntry"]


class Delta(TypedDict):
    """A piece of unfinished text or output. The finished content follows as an entry."""

    session: str
    #: The number of the entry before it.
    seq: int
    at: str
    kind: Literal["delta"]
    data: SdkDeltaMessage


#: The `data` of one server-sent event, as JSON: `event` is its `kind`, `id` its number. A delta has no `id`.
LogItem = Union["MessageEntry", "AskEntry", "AnsweredEntry", "WithdrawnEntry", "PromptEntry", "StateEntry", "Delta"]


class Log(TypedDict):
    entries: List[Entry]
    last: int


class Receipt(TypedDict):
    id: str
    seq: int
    repeated: bool


class Undone(TypedDict):
    files: List[str]
    insertions: int
    deletions: int
    messages: int


class Change(TypedDict):
    #: The number of the entry that reported it.
    seq: int
    path: str
    isNew: bool
    hunks: List[Hunk]


class Hunk(TypedDict):
    oldStart: int
    oldLines: int
    newStart: int
    newLines: int
    #: Each begins with a space, `+`, or `-`.
    lines: List[str]


class Task(TypedDict):
    id: str
    type: NotRequired[str]
    description: str
    status: str
    summary: NotRequired[str]
    toolUseId: NotRequired[str]
    since: str


class Token(TypedDict):
    id: str
    name: str
    scopes: List[Literal["read", "answer", "prompt", "admin"]]
    sessions: NotRequired[List[str]]
    created: str
    expires: NotRequired[str]


class AuditLine(TypedDict):
    at: str
    token: str
    name: str
    operation: str
    session: NotRequired[str]
    what: NotRequired[str]
    status: int


class JsonRpcMessageError(TypedDict):
    code: int
    message: str


class JsonRpcMessage(TypedDict):
    """A message of the Agent Client Protocol: agentclientprotocol.com has them all."""

    jsonrpc: Literal["2.0"]
    id: NotRequired[Union[str, float, None]]
    method: NotRequired[str]
    params: NotRequired[Dict[str, Any]]
    #: The result, as the method defines it.
    result: NotRequired[Any]
    error: NotRequired[JsonRpcMessageError]


class ExportLine1(TypedDict):
    kedge: Literal["session"]
    version: int
    session: Session


class ExportLine2(TypedDict):
    line: Dict[str, Any]
    subpath: NotRequired[str]


class ExportLine3(TypedDict):
    entry: Entry


class ExportLine4(TypedDict):
    end: Dict[str, int]


#: One line of an exported session.
ExportLine = Union["ExportLine1", "ExportLine2", "ExportLine3", "ExportLine4"]


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Union[Literal["invalid_request", "invalid_json", "unknown_parameter", "invalid_import", "invalid_folder", "invalid_option", "unsupported_agent", "unauthorized", "budget_spent", "forbidden_origin", "forbidden_host", "forbidden_scope", "forbidden_session", "forbidden_update", "not_found", "session_not_found", "ask_not_found", "prompt_not_found", "message_not_found", "task_not_found", "file_not_found", "server_not_found", "connection_not_found", "webhook_not_found", "subscription_not_found", "token_not_found", "method_not_allowed", "request_timeout", "already_answered", "ask_withdrawn", "session_in_use", "session_fenced", "after_unknown", "turn_over", "too_large", "unsupported_media_type", "invalid_answer", "refused_by_agent", "upgrade_required", "too_many_failures", "internal", "not_on_cluster", "agent_failed", "draining", "tenant_paused", "database_unavailable", "too_many_readers", "too_many_connections", "too_many_sessions", "storage_failed"], str]
    fix: str
    by: NotRequired[Person]
    #: Why a request was withdrawn.
    reason: NotRequired[str]
    #: With `after_unknown`: the last number of the log.
    last: NotRequired[int]
    #: The id of this HTTP request in the server log.
    request: NotRequired[str]


class ListPromptsResponse(TypedDict):
    prompts: List[Prompt]


class SendPromptContent2Item1(TypedDict):
    type: Literal["text"]
    text: str


class SendPromptContent2Item2Source(TypedDict):
    type: Literal["base64"]
    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: str


class SendPromptContent2Item2(TypedDict):
    type: Literal["image"]
    source: SendPromptContent2Item2Source


class SendPromptAttachmentsItem(TypedDict):
    name: str
    #: An image, application/pdf, or text/….
    mediaType: str
    #: The content, base64.
    data: str


class ListAsksResponse(TypedDict):
    asks: List[Ask]
    next: NotRequired[str]


class AnswerAskBodyAllow(TypedDict):
    kind: Literal["allow"]
    #: The hash of the input that the answer is about. A different input is rejected.
    hash: NotRequired[str]
    input: NotRequired[Dict[str, Any]]
    #: Rules to add: the `update` of the request's suggestions.
    updates: NotRequired[List[Dict[str, Any]]]


class AnswerAskBodyDeny(TypedDict):
    kind: Literal["deny"]
    #: The hash of the input that the answer is about. A different input is rejected.
    hash: NotRequired[str]
    message: NotRequired[str]
    stop: NotRequired[bool]


class AnswerAskBodyAnswers(TypedDict):
    kind: Literal["answers"]
    #: The hash of the input that the answer is about. A different input is rejected.
    hash: NotRequired[str]
    answers: Dict[str, Union[str, List[str]]]
    notes: NotRequired[Dict[str, str]]


class AnswerAskBodyApprove(TypedDict):
    kind: Literal["approve"]
    #: The hash of the input that the answer is about. A different input is rejected.
    hash: NotRequired[str]
    mode: NotRequired[Literal["default", "acceptEdits", "plan", "dontAsk", "delegate", "bypassPermissions"]]
    plan: NotRequired[str]


class AnswerAskBodyRevise(TypedDict):
    kind: Literal["revise"]
    #: The hash of the input that the answer is about. A different input is rejected.
    hash: NotRequired[str]
    comments: str


class AnswerAskBodyElicitation(TypedDict):
    kind: Literal["elicitation"]
    #: The hash of the input that the answer is about. A different input is rejected.
    hash: NotRequired[str]
    action: Literal["accept", "decline", "cancel"]
    content: NotRequired[Dict[str, Any]]


class AnswerAskBodySignIn(TypedDict):
    kind: Literal["sign-in"]
    #: The hash of the input that the answer is about. A different input is rejected.
    hash: NotRequired[str]
    action: Literal["start", "finish", "cancel"]
    method: NotRequired[Literal["browser", "device"]]
    callback: NotRequired[str]


class ListHistoryResponse(TypedDict):
    messages: List[SessionMessage]
    #: The number of earlier messages.
    earlier: int


class ListMessagesResponse(TypedDict):
    messages: List[SessionMessage]
    #: The number of messages in the conversation.
    total: int


class ListTasksResponse(TypedDict):
    tasks: List[Task]


class ReadTaskResponse(TypedDict):
    text: str
    size: int


class ListChangesResponse(TypedDict):
    changes: List[Change]


class ReadFileResponse(TypedDict):
    path: str
    content: str
    encoding: str
    size: int


class ListFilesResponse(TypedDict):
    files: List[str]


class ListModelsResponse(TypedDict):
    models: List[ModelInfo]


class ListCommandsResponse(TypedDict):
    commands: List[SlashCommand]


class ListAgentsResponse(TypedDict):
    agents: List[AgentInfo]


class GetContextResponse(TypedDict):
    context: SDKControlGetContextUsageResponse
    costUsd: float


class ListMcpServersResponse(TypedDict):
    servers: List[McpServerStatus]


class MoveToBackgroundResponse(TypedDict):
    moved: bool


class AskAsideResponse(TypedDict):
    answer: str
    inputTokens: float
    cacheReadTokens: float
    outputTokens: float
    costUsd: float


class ReloadSessionResponse(TypedDict):
    changes: List[str]
    problems: List[str]


class ExplainPermissionRules(TypedDict):
    allow: NotRequired[List[str]]
    ask: NotRequired[List[str]]
    deny: NotRequired[List[str]]


class ListMcpAppsResponseAppsItem(TypedDict):
    server: str
    tool: str
    uri: str


class ListMcpAppsResponse(TypedDict):
    apps: List[ListMcpAppsResponseAppsItem]


class OpenMcpAppResponse(TypedDict):
    path: str


class CallMcpAppResponse(TypedDict):
    content: List[Any]


class ListHitsResponseHitsItem(TypedDict):
    session: str
    title: NotRequired[str]
    cwd: str
    #: The number of the log entry.
    seq: int
    #: The uuid of the message, or the id of the prompt.
    message: str
    role: Literal["user", "assistant", "tool"]
    at: str
    snippet: str
    start: int
    length: int


class ListHitsResponse(TypedDict):
    hits: List[ListHitsResponseHitsItem]
    next: NotRequired[str]


class GetSettingsResponseSettingsItemFromItem(TypedDict):
    source: str
    file: NotRequired[str]


GetSettingsResponseSettingsItem = TypedDict(
    "GetSettingsResponseSettingsItem",
    {
        "key": "str",
        "value": "Any",
        "from": "List[GetSettingsResponseSettingsItemFromItem]",
    },
)


class GetSettingsResponseLayersItem(TypedDict):
    source: str
    file: NotRequired[str]
    keys: List[str]


class GetSettingsResponseProblemsItem(TypedDict):
    severity: str
    message: str
    file: str


class GetSettingsResponse(TypedDict):
    settings: List[GetSettingsResponseSettingsItem]
    layers: List[GetSettingsResponseLayersItem]
    problems: List[GetSettingsResponseProblemsItem]
    isTrusted: bool


class ListWebhooksResponseWebhooksItem(TypedDict):
    id: str
    url: str
    kinds: NotRequired[List[str]]
    created: str
    after: int
    failures: int
    lastError: NotRequired[str]


class ListWebhooksResponse(TypedDict):
    webhooks: List[ListWebhooksResponseWebhooksItem]


class CreateWebhookResponse(TypedDict):
    id: str
    url: str
    kinds: NotRequired[List[str]]
    created: str
    secret: str


class GetPushKeyResponse(TypedDict):
    publicKey: str


class ListPushResponseSubscriptionsItem(TypedDict):
    id: str
    endpoint: str
    kinds: NotRequired[List[str]]
    token: str
    created: str


class ListPushResponse(TypedDict):
    subscriptions: List[ListPushResponseSubscriptionsItem]


class CreatePushKeys(TypedDict):
    p256dh: str
    auth: str


class CreatePushResponse(TypedDict):
    id: str
    endpoint: str
    kinds: NotRequired[List[str]]
    token: str
    created: str


class WhoAmIResponse(TypedDict):
    id: str
    name: str
    scopes: List[str]
    sessions: NotRequired[List[str]]
    folders: List[str]
    #: Whether workers run the sessions. Operations that need their files or agents return `not_on_cluster`.
    isCluster: NotRequired[bool]


class ListTokensResponse(TypedDict):
    tokens: List[Token]


class ReadAuditResponse(TypedDict):
    lines: List[AuditLine]
