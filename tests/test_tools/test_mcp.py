"""The MCP server with the SDK's own client, over both transports and in both eras of the protocol."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from storage.errors import InputError
from storage.settings import ROOT, Settings
from storage.writer import write_edition
from tests.test_storage.small import LetterEmbedder, small_edition
from tools.mcp.editions import LOOK_AGAIN, Editions
from tools.mcp.http import BODY, Buckets, application, check_address
from tools.mcp.jobs import JOBS, Job, filled
from tools.mcp.resources import read
from tools.mcp.server import make_server
from tools.mcp_server import main
from tools.query_embedder import QueryEmbedder
from tools.registry import TOOLS
from tools.resolve import resolve

TOKEN = "a-token-that-nobody-guesses"


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    anyio.run(work)


@pytest.fixture(scope="module")
def editions(sample_settings: Settings) -> Editions:
    return Editions(sample_settings, None, lambda record: QueryEmbedder(sample_settings, record))


@contextmanager
def serving(editions: Editions, *, token: str | None = None, rate: float = 10_000.0) -> Iterator[str]:
    """The address of a real server in this process."""
    app = application(make_server(editions), host="127.0.0.1", names=(), token=token, rate=rate)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def address(editions: Editions) -> Iterator[str]:
    with serving(editions) as at:
        yield at


@pytest.fixture(scope="module")
def command(sample_settings: Settings) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "tools.mcp_server"],
        env={"ASK262_STORAGE_DIR": str(sample_settings.storage_dir), "PATH": os.environ["PATH"]},
    )


async def said(client: Client, tool: str, **arguments: Any) -> tuple[str, bool]:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert content.type == "text"
    return content.text, bool(result.is_error)


async def walk(client: Client) -> None:
    """Everything that a client can do, once."""
    assert [tool.name for tool in (await client.list_tools()).tools] == [tool.name for tool in TOOLS]
    text, failed = await said(client, "search_spec", query="Count::divide")
    assert not failed
    assert "`sec-numeric-types-count-divide`" in text
    await page_through(client, "sec-types")
    listed = await client.list_resources()
    assert listed.next_cursor is None
    uri = next(one.uri for one in listed.resources if one.name == "sec-unitratio")
    (contents,) = (await client.read_resource(uri)).contents
    assert "UnitFault" in json.dumps(contents.model_dump(mode="json"))
    assert [prompt.name for prompt in (await client.list_prompts()).prompts] == [job.name for job in JOBS]
    prompt = await client.get_prompt("explain-algorithm", {"name": "UnitRatio"})
    assert "UnitRatio" in json.dumps(prompt.model_dump(mode="json"))


async def page_through(client: Client, sectionid: str) -> None:
    """Cursors lead through a section and its descendants to the end."""
    asked = {"sectionid": sectionid, "limit": 1_000}
    text, failed = await said(client, "fetch_section_chunks", recursive=True, **asked)
    assert not failed
    pages = 1
    while "cursor" in text.splitlines()[-1]:
        cursor = text.splitlines()[-1].split("`")[-2]
        text, failed = await said(client, "fetch_section_chunks", cursor=cursor, **asked)
        assert not failed
        pages += 1
    assert pages > 2


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_lists_calls_pages_and_reads_over_pipes(command: StdioServerParameters, mode: str) -> None:
    async def work() -> None:
        async with Client(command, mode=mode) as client:
            await walk(client)

    run(work)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_lists_calls_pages_and_reads_over_http(address: str, mode: str) -> None:
    async def work() -> None:
        async with Client(address, mode=mode) as client:
            await walk(client)

    run(work)


def test_twenty_clients_ask_at_once_and_each_gets_its_own_answer(address: str) -> None:
    sections = ("sec-numeric-types-reading-add", "sec-numeric-types-count-divide")

    async def one(number: int) -> None:
        async with Client(address) as client:
            for _ in range(5):
                text, failed = await said(client, "fetch_section_chunks", sectionid=sections[number % 2])
                assert not failed
                assert sections[number % 2] in text.splitlines()[0]

    async def work() -> None:
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(one, number)

    run(work)


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("fetch_section_chunks", {"sectionid": "sec-nowhere"}, "There is no such section"),
        ("fetch_section_chunks", {"sectionid": "sec-loam", "limit": 3}, "The limit is 3"),
        ("fetch_section_chunks", {"section": "sec-loam"}, "`section`: Extra inputs are not permitted"),
        ("fetch_section_chunks", {"sectionid": "sec-loam", "edition": 7}, "`edition` is 7"),
        ("search_spec", {"query": "x", "edition": "es1999"}, "no edition 'es1999'"),
        ("search_spec", {"query": ""}, "empty"),
        ("rm", {}, "There is no tool rm"),
    ],
)
def test_an_error_is_marked_as_one_and_says_what_to_do(
    editions: Editions, tool: str, arguments: dict[str, Any], expected: str
) -> None:
    async def work() -> None:
        async with Client(make_server(editions)) as client:
            text, failed = await said(client, tool, **arguments)
            assert failed
            assert expected in text

    run(work)


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("spec://sample/sec-nowhere", "There is no such section"),
        ("spec://es1999/sec-loam", "no edition"),
        ("file:///etc/passwd", "is no section"),
        ("spec://sample", "is no section"),
    ],
)
def test_a_resource_that_is_none_is_an_error(editions: Editions, uri: str, expected: str) -> None:
    async def work() -> None:
        async with Client(make_server(editions)) as client:
            with pytest.raises(MCPError, match=expected):
                await client.read_resource(uri)

    run(work)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("sec-%25rowwalkprototype%25.next", "sec-%rowwalkprototype%.next"),
        ("sec-toreading", "sec-toreading"),
        ("Count%3A%3Adivide", "Count::divide"),
        ("%25RowWalkPrototype%25.next", "%RowWalkPrototype%.next"),
    ],
)
def test_a_resource_is_found_by_any_name_with_its_escapes(
    editions: Editions, written: str, name: str
) -> None:
    unit = resolve(name, editions.get("sample").reader).unit
    assert unit.text.splitlines()[0] in read(editions, f"spec://sample/{written}")


def test_a_cursor_of_another_list_is_refused(editions: Editions) -> None:
    async def work() -> None:
        async with Client(make_server(editions)) as client:
            with pytest.raises(MCPError, match="is not of this list"):
                await client.list_resources(cursor="MTIuYWJj")

    run(work)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_every_job_has_the_placeholders_that_its_arguments_fill_in(job: Job) -> None:
    given = {name: f"<{name}>" for name, _ in job.arguments}
    text = filled(job.name, given, edition="es1")
    assert all(value in text for value in (*given.values(), "es1"))


def test_a_prompt_without_its_argument_is_an_error(editions: Editions) -> None:
    async def work() -> None:
        async with Client(make_server(editions)) as client:
            with pytest.raises(MCPError, match="needs `question`"):
                await client.get_prompt("answer-with-quotations", {})

    run(work)


ADAPTERS = """
import anyio, json, sys
from langchain_mcp_adapters.client import MultiServerMCPClient

async def work():
    server = {"transport": "streamable_http", "url": sys.argv[1]}
    tools = await MultiServerMCPClient({"spec": server}).get_tools()
    search = next(tool for tool in tools if tool.name == "search_spec")
    print(json.dumps(await search.ainvoke({"query": "UnitRatio"}), default=str))

anyio.run(work)
"""


@pytest.mark.live
def test_the_adapters_of_langchain_can_use_the_tools(address: str) -> None:
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not on the path; it makes the environment of the adapters")
    # In an environment of their own: 0.3.1 of the adapters cannot be imported beside the SDK's version 2.
    packages = ["--with", "langchain-mcp-adapters==0.3.1", "--with", "mcp<2"]
    done = subprocess.run(
        [uv, "run", "--quiet", "--no-project", "--isolated", *packages, "python", "-c", ADAPTERS, address],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "sec-unitratio" in done.stdout


# -- what stands before the protocol ---------------------------------------------------------------------


def call(address: str, **headers: str) -> httpx.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"accept": "application/json, text/event-stream", **headers}
    return httpx.post(address, json=message, headers=accept)


def test_without_the_token_nothing_is_answered(editions: Editions) -> None:
    with serving(editions, token=TOKEN) as address:
        assert call(address).status_code == 401
        assert call(address, authorization="Bearer another").status_code == 401
        assert call(address, authorization=f"Bearer {TOKEN}").status_code not in (401, 403)


def test_a_page_in_a_browser_cannot_ask_whatever_name_it_gives_the_address(address: str) -> None:
    assert call(address, origin="https://evil.example").status_code == 403
    assert call(address, host="evil.example").status_code == 421


def test_a_request_that_is_too_large_is_refused(address: str) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y" * BODY}})
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    assert httpx.post(address, content=body, headers=headers).status_code == 413


def test_who_asks_too_often_is_told_when_to_ask_again(editions: Editions) -> None:
    with serving(editions, rate=1.0) as address:
        answers = [call(address) for _ in range(4)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1


def test_a_bucket_fills_again_and_knows_one_client_from_another() -> None:
    now = [0.0]
    buckets = Buckets(rate=2.0, burst=2.0, clock=lambda: now[0])
    assert [buckets.take("a") for _ in range(3)] == [0.0, 0.0, 0.5]
    assert buckets.take("b") == 0.0
    now[0] = 0.5
    assert buckets.take("a") == 0.0


@pytest.mark.parametrize(
    ("host", "token", "names", "expected"),
    [
        ("10.0.0.5", None, (), "can be reached by other machines: set ASK262_MCP_TOKEN"),
        ("::", None, (), "can be reached"),
        ("0.0.0.0", TOKEN, (), "--allow-host"),
        ("127.0.0.1", "short", (), "at least 16 are needed"),
    ],
)
def test_an_address_that_others_reach_needs_a_token_and_a_name(
    host: str, token: str | None, names: tuple[str, ...], expected: str
) -> None:
    with pytest.raises(InputError) as raised:
        check_address(host, token=token, names=names)
    assert expected in str(raised.value)
    assert (token or "none given") not in str(raised.value)


def test_an_address_of_this_machine_needs_neither() -> None:
    for host in ("127.0.0.1", "::1", "localhost", "127.8.8.8"):
        check_address(host, token=None, names=())


def test_a_server_for_others_without_a_token_ends_with_one_line(
    sample_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASK262_STORAGE_DIR", str(sample_settings.storage_dir))
    assert main(["--http", "--host", "10.0.0.5"]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "ASK262_MCP_TOKEN" in told


def test_only_the_protocol_stands_on_standard_output(sample_settings: Settings) -> None:
    environment = {**os.environ, "ASK262_STORAGE_DIR": str(sample_settings.storage_dir)}
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
        },
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tools.mcp_server"], input=json.dumps(hello) + "\n",
        capture_output=True, text=True, env=environment, cwd=ROOT, check=False, timeout=60,
    )  # fmt: skip
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1]
    assert done.returncode == 0


def test_a_new_build_is_asked_from_the_next_look_on(tmp_path: Path) -> None:
    settings = Settings.model_validate({"storage_dir": tmp_path})
    now = [0.0]
    editions = Editions(settings, None, lambda _: LetterEmbedder(), clock=lambda: now[0])
    write_edition(tmp_path, small_edition(), LetterEmbedder())
    first = editions.get("es2026").reader
    write_edition(tmp_path, small_edition(), LetterEmbedder("other"))
    assert editions.get("es2026").reader is first
    now[0] = LOOK_AGAIN
    assert editions.get("es2026").reader.record.embedder.name == "other"
