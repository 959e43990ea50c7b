"""One method for each operation of the API. Generated from openapi.json 0.1.0 by `npm run python`."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Union

from .models import (
    AnswerAskBodyAllow,
    AnswerAskBodyAnswers,
    AnswerAskBodyApprove,
    AnswerAskBodyDeny,
    AnswerAskBodyElicitation,
    AnswerAskBodyRevise,
    AnswerAskBodySignIn,
    Ask,
    AskAsideResponse,
    CallMcpAppResponse,
    CreatePushKeys,
    CreatePushResponse,
    CreateWebhookResponse,
    Entry,
    ExplainPermissionRules,
    GetContextResponse,
    GetPushKeyResponse,
    GetSettingsResponse,
    ListAgentsResponse,
    ListAsksResponse,
    ListChangesResponse,
    ListCommandsResponse,
    ListFilesResponse,
    ListHistoryResponse,
    ListHitsResponse,
    ListMcpAppsResponse,
    ListMcpServersResponse,
    ListMessagesResponse,
    ListModelsResponse,
    ListPromptsResponse,
    ListPushResponse,
    ListTasksResponse,
    ListTokensResponse,
    ListWebhooksResponse,
    Log,
    LogItem,
    MoveToBackgroundResponse,
    OpenMcpAppResponse,
    PermissionExplanation,
    ReadAuditResponse,
    ReadFileResponse,
    ReadTaskResponse,
    Receipt,
    ReloadSessionResponse,
    SendPromptAttachmentsItem,
    SendPromptContent2Item1,
    SendPromptContent2Item2,
    Session,
    SessionPage,
    Token,
    Undone,
    WhoAmIResponse,
)
from .transport import OMIT, Omitted, Transport, path_of


class Operations:
    """The operations of a server. `Kedge` has them, and what makes them easy to use."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_sessions(
        self,
        *,
        cwd: Union[str, Omitted] = OMIT,
        status: Union[List[Literal["running", "needs-you", "idle", "done", "error"]], Omitted] = OMIT,
        archived: Union[bool, Omitted] = OMIT,
        text: Union[str, Omitted] = OMIT,
        limit: Union[int, Omitted] = OMIT,
        cursor: Union[str, Omitted] = OMIT,
    ) -> SessionPage:
        """Lists sessions, last changed first."""
        result: SessionPage = self._transport.call("GET", path_of("/v1/sessions"), query={"cwd": cwd, "status": status, "archived": archived, "text": text, "limit": limit, "cursor": cursor})
        return result

    def create_session(
        self,
        *,
        cwd: str,
        id: Union[str, Omitted] = OMIT,
        title: Union[str, Omitted] = OMIT,
        mode: Union[Literal["default", "acceptEdits", "plan", "dontAsk", "delegate", "bypassPermissions"], Omitted] = OMIT,
        model: Union[str, Omitted] = OMIT,
        effort: Union[Literal["low", "medium", "high", "max"], Omitted] = OMIT,
    ) -> Session:
        """Creates a session. Nothing runs before its first prompt."""
        result: Session = self._transport.call("POST", path_of("/v1/sessions"), json={"cwd": cwd, "id": id, "title": title, "mode": mode, "model": model, "effort": effort})
        return result

    def get_session(
        self,
        session: str,
    ) -> Session:
        """Returns a session and its state."""
        result: Session = self._transport.call("GET", path_of("/v1/sessions/{session}", session=session))
        return result

    def change_session(
        self,
        session: str,
        *,
        title: Union[Union[str, None], Omitted] = OMIT,
        mode: Union[Literal["default", "acceptEdits", "plan", "dontAsk", "delegate", "bypassPermissions"], Omitted] = OMIT,
        model: Union[str, Omitted] = OMIT,
        effort: Union[Literal["low", "medium", "high", "max"], Omitted] = OMIT,
        archived: Union[bool, Omitted] = OMIT,
    ) -> Session:
        """Changes the title, permission mode, model, effort, or archived state."""
        result: Session = self._transport.call("PATCH", path_of("/v1/sessions/{session}", session=session), json={"title": title, "mode": mode, "model": model, "effort": effort, "archived": archived})
        return result

    def delete_session(
        self,
        session: str,
    ) -> None:
        """Deletes a session and its files."""
        self._transport.call("DELETE", path_of("/v1/sessions/{session}", session=session))

    def close_session(
        self,
        session: str,
    ) -> None:
        """Closes a session. It stays stored; the next prompt continues it."""
        self._transport.call("POST", path_of("/v1/sessions/{session}/close", session=session))

    def fork_session(
        self,
        session: str,
        *,
        message: Union[str, Omitted] = OMIT,
    ) -> Session:
        """Copies a session, whole or up to a message."""
        result: Session = self._transport.call("POST", path_of("/v1/sessions/{session}/fork", session=session), json={"message": message})
        return result

    def rewind_session(
        self,
        session: str,
        *,
        message: str,
        what: Literal["files", "conversation", "both"],
        dry_run: Union[bool, Omitted] = OMIT,
    ) -> Undone:
        """Rewinds files, the conversation, or both to before a user message. `dryRun` only returns the changes."""
        result: Undone = self._transport.call("POST", path_of("/v1/sessions/{session}/rewind", session=session), json={"message": message, "what": what, "dryRun": dry_run})
        return result

    def resume_queue(
        self,
        session: str,
    ) -> None:
        """Continues prompts that wait since a restart or an error."""
        self._transport.call("POST", path_of("/v1/sessions/{session}/resume", session=session))

    def list_prompts(
        self,
        session: str,
    ) -> ListPromptsResponse:
        """Lists queued prompts in order."""
        result: ListPromptsResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/prompts", session=session))
        return result

    def send_prompt(
        self,
        session: str,
        *,
        content: Union[str, List[Union[SendPromptContent2Item1, SendPromptContent2Item2]]],
        id: Union[str, Omitted] = OMIT,
        when: Union[Literal["queue", "steer"], Omitted] = OMIT,
        attachments: Union[List[SendPromptAttachmentsItem], Omitted] = OMIT,
    ) -> Receipt:
        """Sends a prompt and stores it before responding. The same id twice is one prompt."""
        result: Receipt = self._transport.call("POST", path_of("/v1/sessions/{session}/prompts", session=session), json={"id": id, "content": content, "when": when, "attachments": attachments})
        return result

    def reorder_prompts(
        self,
        session: str,
        *,
        order: List[str],
    ) -> None:
        """Reorders queued prompts."""
        self._transport.call("PUT", path_of("/v1/sessions/{session}/prompts/order", session=session), json={"order": order})

    def remove_prompt(
        self,
        session: str,
        prompt: str,
    ) -> None:
        """Removes a queued prompt."""
        self._transport.call("DELETE", path_of("/v1/sessions/{session}/prompts/{prompt}", session=session, prompt=prompt))

    def interrupt(
        self,
        session: str,
        *,
        scope: Union[Literal["turn", "all"], Omitted] = OMIT,
    ) -> None:
        """Stops the running turn and continues with the next prompt; `all` also drops queued prompts."""
        self._transport.call("POST", path_of("/v1/sessions/{session}/interrupt", session=session), json={"scope": scope})

    def list_asks(
        self,
        *,
        session: Union[str, Omitted] = OMIT,
        limit: Union[int, Omitted] = OMIT,
        cursor: Union[str, Omitted] = OMIT,
    ) -> ListAsksResponse:
        """Lists open requests of all sessions, oldest first, in pages."""
        result: ListAsksResponse = self._transport.call("GET", path_of("/v1/asks"), query={"session": session, "limit": limit, "cursor": cursor})
        return result

    def get_ask(
        self,
        session: str,
        ask: str,
    ) -> Ask:
        """Returns an open request."""
        result: Ask = self._transport.call("GET", path_of("/v1/sessions/{session}/asks/{ask}", session=session, ask=ask))
        return result

    def answer_ask(
        self,
        session: str,
        ask: str,
        body: Union[AnswerAskBodyAllow, AnswerAskBodyDeny, AnswerAskBodyAnswers, AnswerAskBodyApprove, AnswerAskBodyRevise, AnswerAskBodyElicitation, AnswerAskBodySignIn],
    ) -> None:
        """Answers a request. The first answer wins; later ones get 409, and `by` names the person who answered."""
        self._transport.call("POST", path_of("/v1/sessions/{session}/asks/{ask}/answer", session=session, ask=ask), json=body)

    def follow_session(
        self,
        session: str,
        *,
        deltas: Union[bool, Omitted] = OMIT,
        after: int = 0,
    ) -> Iterator[LogItem]:
        """Streams all entries after a number, then new ones. `id` is the entry's number; deltas have none."""
        return self._transport.follow(path_of("/v1/sessions/{session}/events", session=session), query={"deltas": deltas}, after=after)

    def follow_all(
        self,
        *,
        after: int = 0,
    ) -> Iterator[Entry]:
        """Streams the entries of all sessions, with their own numbers and without deltas."""
        return self._transport.follow(path_of("/v1/events"), after=after)

    def read_log(
        self,
        session: str,
        *,
        after: Union[int, Omitted] = OMIT,
        limit: Union[int, Omitted] = OMIT,
    ) -> Log:
        """Lists log entries after a number."""
        result: Log = self._transport.call("GET", path_of("/v1/sessions/{session}/log", session=session), query={"after": after, "limit": limit})
        return result

    def list_history(
        self,
        session: str,
        *,
        limit: Union[int, Omitted] = OMIT,
    ) -> ListHistoryResponse:
        """Lists messages from before the log begins: before a fork, or from outside this server."""
        result: ListHistoryResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/history", session=session), query={"limit": limit})
        return result

    def list_messages(
        self,
        session: str,
        *,
        offset: Union[int, Omitted] = OMIT,
        limit: Union[int, Omitted] = OMIT,
    ) -> ListMessagesResponse:
        """Lists messages of the conversation, oldest first: without those that a rewind removed."""
        result: ListMessagesResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/messages", session=session), query={"offset": offset, "limit": limit})
        return result

    def list_tasks(
        self,
        session: str,
    ) -> ListTasksResponse:
        """Lists background tasks, latest last."""
        result: ListTasksResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/tasks", session=session))
        return result

    def read_task(
        self,
        session: str,
        task: str,
        *,
        bytes: Union[int, Omitted] = OMIT,
    ) -> ReadTaskResponse:
        """Returns the end of a task's output."""
        result: ReadTaskResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/tasks/{task}/output", session=session, task=task), query={"bytes": bytes})
        return result

    def stop_task(
        self,
        session: str,
        task: str,
    ) -> None:
        """Stops a background task."""
        self._transport.call("POST", path_of("/v1/sessions/{session}/tasks/{task}/stop", session=session, task=task))

    def list_changes(
        self,
        session: str,
        *,
        path: Union[str, Omitted] = OMIT,
    ) -> ListChangesResponse:
        """Lists the session's file changes, edit by edit, as patches."""
        result: ListChangesResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/changes", session=session), query={"path": path})
        return result

    def read_file(
        self,
        session: str,
        *,
        path: str,
        encoding: Union[Literal["utf-8", "base64"], Omitted] = OMIT,
        bytes: Union[int, Omitted] = OMIT,
    ) -> ReadFileResponse:
        """Returns a file in the session's folders, if its rules allow reading it."""
        result: ReadFileResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/file", session=session), query={"path": path, "encoding": encoding, "bytes": bytes})
        return result

    def list_files(
        self,
        session: str,
        *,
        text: Union[str, Omitted] = OMIT,
        limit: Union[int, Omitted] = OMIT,
    ) -> ListFilesResponse:
        """Completes file names in the session's folder, best match first."""
        result: ListFilesResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/files", session=session), query={"text": text, "limit": limit})
        return result

    def export_session(
        self,
        session: str,
    ) -> bytes:
        """Exports the session as JSON lines: its data, conversation, and log."""
        result: bytes = self._transport.download("GET", path_of("/v1/sessions/{session}/export", session=session))
        return result

    def list_models(
        self,
        session: str,
    ) -> ListModelsResponse:
        """Lists the models a session can use."""
        result: ListModelsResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/models", session=session))
        return result

    def list_commands(
        self,
        session: str,
    ) -> ListCommandsResponse:
        """Lists slash commands."""
        result: ListCommandsResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/commands", session=session))
        return result

    def list_agents(
        self,
        session: str,
    ) -> ListAgentsResponse:
        """Lists sub-agents."""
        result: ListAgentsResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/agents", session=session))
        return result

    def get_context(
        self,
        session: str,
    ) -> GetContextResponse:
        """Returns the use of the context window and the cost of the session."""
        result: GetContextResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/context", session=session))
        return result

    def list_mcp_servers(
        self,
        session: str,
    ) -> ListMcpServersResponse:
        """Lists MCP servers and their status."""
        result: ListMcpServersResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/mcp", session=session))
        return result

    def reconnect_mcp_server(
        self,
        session: str,
        server: str,
    ) -> None:
        """Reconnects an MCP server."""
        self._transport.call("POST", path_of("/v1/sessions/{session}/mcp/{server}/reconnect", session=session, server=server))

    def toggle_mcp_server(
        self,
        session: str,
        server: str,
        *,
        enabled: bool,
    ) -> None:
        """Enables or disables an MCP server for this session."""
        self._transport.call("POST", path_of("/v1/sessions/{session}/mcp/{server}/toggle", session=session, server=server), json={"enabled": enabled})

    def move_to_background(
        self,
        session: str,
        *,
        call: Union[str, Omitted] = OMIT,
    ) -> MoveToBackgroundResponse:
        """Moves one or all running calls to the background. Returns `false` if none could be moved."""
        result: MoveToBackgroundResponse = self._transport.call("POST", path_of("/v1/sessions/{session}/background", session=session), json={"call": call})
        return result

    def ask_aside(
        self,
        session: str,
        *,
        question: str,
    ) -> AskAsideResponse:
        """Asks the model a question about a session that leaves no trace in it, also while a turn runs."""
        result: AskAsideResponse = self._transport.call("POST", path_of("/v1/sessions/{session}/ask", session=session), json={"question": question})
        return result

    def reload_session(
        self,
        session: str,
    ) -> ReloadSessionResponse:
        """Reads settings, plugins, skills, agents, output styles, and instructions again. Returns what changed."""
        result: ReloadSessionResponse = self._transport.call("POST", path_of("/v1/sessions/{session}/reload", session=session))
        return result

    def explain_permission(
        self,
        *,
        cwd: str,
        tool: str,
        input: Dict[str, Any],
        mode: Union[Literal["default", "acceptEdits", "plan", "dontAsk", "delegate", "bypassPermissions"], Omitted] = OMIT,
        rules: Union[ExplainPermissionRules, Omitted] = OMIT,
    ) -> PermissionExplanation:
        """Explains the permission decision for a tool call, without running it."""
        result: PermissionExplanation = self._transport.call("POST", path_of("/v1/permissions/explain"), json={"cwd": cwd, "tool": tool, "input": input, "mode": mode, "rules": rules})
        return result

    def list_mcp_apps(
        self,
        session: str,
    ) -> ListMcpAppsResponse:
        """Lists user interfaces of MCP tools. Empty if the session's agent isn't running."""
        result: ListMcpAppsResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/apps", session=session))
        return result

    def open_mcp_app(
        self,
        session: str,
        *,
        server: str,
        uri: str,
    ) -> OpenMcpAppResponse:
        """Returns the path of a user interface, for a frame. It works once, for a minute."""
        result: OpenMcpAppResponse = self._transport.call("POST", path_of("/v1/sessions/{session}/apps/open", session=session), json={"server": server, "uri": uri})
        return result

    def call_mcp_app(
        self,
        session: str,
        *,
        server: str,
        tool: str,
        arguments: Dict[str, Any],
    ) -> CallMcpAppResponse:
        """Calls a tool for a user interface of its server. Rules and users decide, as about the model's calls."""
        result: CallMcpAppResponse = self._transport.call("POST", path_of("/v1/sessions/{session}/apps/call", session=session), json={"server": server, "tool": tool, "arguments": arguments})
        return result

    def list_hits(
        self,
        *,
        text: str,
        session: Union[str, Omitted] = OMIT,
        cwd: Union[str, Omitted] = OMIT,
        archived: Union[bool, Omitted] = OMIT,
        limit: Union[int, Omitted] = OMIT,
        cursor: Union[str, Omitted] = OMIT,
    ) -> ListHitsResponse:
        """Searches all conversations, latest sessions first. Continue with `next`, even if a page has no hits."""
        result: ListHitsResponse = self._transport.call("GET", path_of("/v1/search"), query={"text": text, "session": session, "cwd": cwd, "archived": archived, "limit": limit, "cursor": cursor})
        return result

    def import_session(
        self,
        body: bytes,
        *,
        cwd: Union[str, Omitted] = OMIT,
    ) -> Session:
        """Imports a session from an `exportSession` file, under the same id."""
        result: Session = self._transport.call("POST", path_of("/v1/sessions/import"), query={"cwd": cwd}, body=body, content_type="application/x-ndjson")
        return result

    def get_settings(
        self,
        session: str,
    ) -> GetSettingsResponse:
        """Lists the session's settings with their sources, strongest first."""
        result: GetSettingsResponse = self._transport.call("GET", path_of("/v1/sessions/{session}/settings", session=session))
        return result

    def list_webhooks(
        self,
    ) -> ListWebhooksResponse:
        """Lists webhooks and their delivery state."""
        result: ListWebhooksResponse = self._transport.call("GET", path_of("/v1/webhooks"))
        return result

    def create_webhook(
        self,
        *,
        url: str,
        kinds: Union[List[Literal["needs_you", "done", "failed", "closed"]], Omitted] = OMIT,
    ) -> CreateWebhookResponse:
        """Creates a webhook. The response contains its signing secret, which is never returned again."""
        result: CreateWebhookResponse = self._transport.call("POST", path_of("/v1/webhooks"), json={"url": url, "kinds": kinds})
        return result

    def remove_webhook(
        self,
        webhook: str,
    ) -> None:
        """Deletes a webhook."""
        self._transport.call("DELETE", path_of("/v1/webhooks/{webhook}", webhook=webhook))

    def get_push_key(
        self,
    ) -> GetPushKeyResponse:
        """Returns the key for push subscriptions (`applicationServerKey`)."""
        result: GetPushKeyResponse = self._transport.call("GET", path_of("/v1/push/key"))
        return result

    def list_push(
        self,
    ) -> ListPushResponse:
        """Lists your push subscriptions; with the scope `admin`, all of them."""
        result: ListPushResponse = self._transport.call("GET", path_of("/v1/push"))
        return result

    def create_push(
        self,
        *,
        endpoint: str,
        keys: CreatePushKeys,
        expiration_time: Union[Union[float, None], Omitted] = OMIT,
        kinds: Union[List[Literal["needs_you", "done", "failed", "closed"]], Omitted] = OMIT,
    ) -> CreatePushResponse:
        """Adds a push subscription, as `pushManager.subscribe()` returns it. It ends with its token."""
        result: CreatePushResponse = self._transport.call("POST", path_of("/v1/push"), json={"endpoint": endpoint, "expirationTime": expiration_time, "keys": keys, "kinds": kinds})
        return result

    def remove_push(
        self,
        subscription: str,
    ) -> None:
        """Deletes a push subscription."""
        self._transport.call("DELETE", path_of("/v1/push/{subscription}", subscription=subscription))

    def who_am_i(
        self,
    ) -> WhoAmIResponse:
        """Returns the token's scopes and limits."""
        result: WhoAmIResponse = self._transport.call("GET", path_of("/v1/me"))
        return result

    def list_tokens(
        self,
    ) -> ListTokensResponse:
        """Lists limited tokens, without their values."""
        result: ListTokensResponse = self._transport.call("GET", path_of("/v1/tokens"))
        return result

    def create_token(
        self,
        *,
        name: str,
        scopes: List[Literal["read", "answer", "prompt", "admin"]],
        sessions: Union[List[str], Omitted] = OMIT,
        expires_in_seconds: Union[int, Omitted] = OMIT,
    ) -> Token:
        """Creates a limited token: some scopes, some sessions, for a limited time. Only this response contains its value."""
        result: Token = self._transport.call("POST", path_of("/v1/tokens"), json={"name": name, "scopes": scopes, "sessions": sessions, "expiresInSeconds": expires_in_seconds})
        return result

    def revoke_token(
        self,
        token: str,
    ) -> None:
        """Revokes a token and ends its open streams."""
        self._transport.call("DELETE", path_of("/v1/tokens/{token}", token=token))

    def read_audit(
        self,
        *,
        limit: Union[int, Omitted] = OMIT,
    ) -> ReadAuditResponse:
        """Lists answers, changes, and deletions with their authors, latest first."""
        result: ReadAuditResponse = self._transport.call("GET", path_of("/v1/audit"), query={"limit": limit})
        return result
