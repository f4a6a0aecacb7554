"""The exchange format as a stranger reads it: calls by REST and JSON-RPC, the stream, and every object held to its members."""

import http.client
import json
import select
import socket
import ssl
import threading
import urllib.parse

# Members of each object: those that must stand there, and those that may. Anything else breaks programs, so it breaks this one.
SHAPES = {
    "event": ("id name timezone openDate", "countryCode venue"),
    "catalogue": ("marketId marketName totalMatched", "marketStartTime description runners eventType competition event"),
    "description": (
        "persistenceEnabled bspMarket marketTime suspendTime bettingType turnInPlayEnabled marketType regulator marketBaseRate"
        " discountAllowed",
        "wallet rules rulesHasDate clarifications eachWayDivisor lineRangeInfo raceType priceLadderDescription",
    ),
    "runnerCatalogue": ("selectionId runnerName handicap sortPriority", "metadata"),
    "book": (
        "marketId isMarketDataDelayed status betDelay bspReconciled complete inplay numberOfWinners numberOfRunners"
        " numberOfActiveRunners totalMatched totalAvailable crossMatching runnersVoidable version runners",
        "lastMatchTime",
    ),
    "runner": (
        "selectionId handicap status totalMatched",
        "adjustmentFactor lastPriceTraded removalDate ex orders matches matchesByStrategy",
    ),
    "ex": ("availableToBack availableToLay tradedVolume", ""),
    "level": ("price size", ""),
    "report": ("status marketId instructionReports", "errorCode customerRef"),
    "placed": (
        "status instruction",
        "errorCode betId placedDate averagePriceMatched sizeMatched orderStatus",
    ),
    "cancelled": ("status instruction", "errorCode sizeCancelled cancelledDate"),
    "updated": ("status instruction", "errorCode"),
    "replaced": ("status cancelInstructionReport placeInstructionReport", "errorCode"),
    "currentOrders": ("currentOrders moreAvailable", ""),
    "current": (
        "betId marketId selectionId handicap priceSize bspLiability side status persistenceType orderType placedDate"
        " averagePriceMatched sizeMatched sizeRemaining sizeLapsed sizeCancelled sizeVoided",
        "matchedDate regulatorAuthCode regulatorCode customerOrderRef customerStrategyRef currentItemDescription",
    ),
    "clearedOrders": ("clearedOrders moreAvailable", ""),
    "cleared": (
        "settledDate betCount profit",
        "eventTypeId eventId marketId selectionId handicap betId placedDate persistenceType orderType side itemDescription"
        " betOutcome priceRequested lastMatchedDate commission priceMatched priceReduced sizeSettled sizeCancelled"
        " customerOrderRef customerStrategyRef",
    ),
    "funds": (
        "availableToBetBalance exposure retainedCommission exposureLimit discountRate pointsBalance wallet",
        "",
    ),
    "identity": ("token product status error", ""),
    "rpc": ("jsonrpc result id", ""),
    "status": ("op statusCode connectionClosed", "id connectionsAvailable errorCode errorMessage connectionId"),
    "mcm": ("op id clk pt", "initialClk ct segmentType conflateMs heartbeatMs status mc"),
    "mc": ("id", "img con tv marketDefinition rc"),
    "rc": ("id", "hc ltp tv trd atb atl batb batl bdatb bdatl"),
    "definition": (
        "bspMarket turnInPlayEnabled persistenceEnabled marketBaseRate eventId eventTypeId numberOfWinners bettingType marketType"
        " marketTime suspendTime bspReconciled complete inPlay crossMatching runnersVoidable numberOfActiveRunners betDelay status"
        " runners regulators discountAllowed timezone openDate version",
        "venue countryCode raceType eachWayDivisor settledTime priceLadderDefinition keyLineDefinition lineMaxUnit lineMinUnit"
        " lineInterval",
    ),
    "ocm": ("op id clk pt", "initialClk ct segmentType conflateMs heartbeatMs status oc"),
    "oc": ("id", "accountId fullImage closed orc"),
    "orc": ("id", "hc fullImage uo mb ml smc"),
    "uo": ("id p s side status pt ot pd sm sr sl sc sv rfo rfs", "bsp md cd ld avp rac rc lsrc"),
}


class Wrong(Exception):
    pass


def shaped(name, value):
    """The object itself, or Wrong where its members are not those of the format."""
    must, may = (set(part.split()) for part in SHAPES[name])
    if not isinstance(value, dict):
        raise Wrong(f"{name}: no object but {value!r}")
    unknown, missing = set(value) - must - may, must - set(value)
    if unknown or missing:
        raise Wrong(f"{name}: unknown {sorted(unknown)}, missing {sorted(missing)}")
    empty = [member for member, one in value.items() if one is None]
    if empty:
        raise Wrong(f"{name}: null in {empty}")
    return value


def cents(number):
    """Hundredths of a decimal as it is written; Wrong where it is finer."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise Wrong(f"no number: {number!r}")
    found = round(number * 100)
    if found / 100 != number:
        raise Wrong(f"finer than hundredths: {number!r}")
    return found


class Calls:
    """One keep-alive connection to the calls."""

    def __init__(self, base, ca, app_key):
        url = urllib.parse.urlsplit(base)
        context = ssl.create_default_context(cafile=ca)
        self.connection = http.client.HTTPSConnection(url.hostname, url.port, context=context, timeout=30)
        self.app_key = app_key
        self.token = ""
        self.last_id = 0

    def ask(self, path, body, content_type):
        headers = {"X-Application": self.app_key, "Content-Type": content_type, "Accept": "application/json"}
        if self.token:
            headers["X-Authentication"] = self.token
        self.connection.request("POST", path, body=body, headers=headers)
        response = self.connection.getresponse()
        return response.status, json.loads(response.read())

    def identity(self, name, form=None):
        body = urllib.parse.urlencode(form or {})
        status, told = self.ask(f"/api/{name}", body, "application/x-www-form-urlencoded")
        if status != 200:
            raise Wrong(f"{name}: HTTP {status}")
        return shaped("identity", told)

    def login(self, user, password):
        told = self.identity("login", {"username": user, "password": password})
        if told["status"] != "SUCCESS" or told["product"] != self.app_key:
            raise Wrong(f"login: {told}")
        self.token = told["token"]

    def rest(self, area, name, params):
        status, told = self.ask(f"/exchange/{area}/rest/v1.0/{name}/", json.dumps(params), "application/json")
        if status != 200:
            raise Wrong(f"{name}: HTTP {status} {told}")
        return told

    def rpc(self, area, calls):
        """A batch of (name, params); the results in their order. One alone goes as one object."""
        prefix = {"betting": "Sports", "account": "Account", "heartbeat": "Heartbeat"}[area]
        asked = []
        for name, params in calls:
            self.last_id += 1
            asked.append({"jsonrpc": "2.0", "method": f"{prefix}APING/v1.0/{name}", "params": params, "id": self.last_id})
        body = asked[0] if len(asked) == 1 else asked
        status, told = self.ask(f"/exchange/{area}/json-rpc/v1", json.dumps(body), "application/json")
        if status != 200:
            raise Wrong(f"json-rpc: HTTP {status}")
        answers = [told] if len(asked) == 1 else told
        if [one.get("id") for one in answers] != [one["id"] for one in asked]:
            raise Wrong(f"json-rpc: ids {answers}")
        return [shaped("rpc", one)["result"] for one in answers]


class Stream(threading.Thread):
    """A connection to the stream, folded as it is read: markets by id, orders by id."""

    def __init__(self, host, port, ca, app_key, token, markets):
        super().__init__(daemon=True)
        self.changed = threading.Condition()
        self.statuses = {}
        self.markets = markets
        self.orders = {}
        self.matched = {}
        self.closed_markets = set()
        self.clocks = {}
        self.kinds = []
        self.broken = None
        self.over = False
        context = ssl.create_default_context(cafile=ca)
        self.socket = context.wrap_socket(socket.create_connection((host, port), timeout=30), server_hostname=host)
        # Two threads must not be inside of one TLS connection: reading never waits while it holds the lock.
        self.inside = threading.Lock()
        self.socket.setblocking(False)
        self.start()
        # Written at once, without waiting for the greeting.
        self.send({"op": "authentication", "id": 1, "appKey": app_key, "session": token})

    def send(self, message):
        with self.inside:
            self.socket.sendall((json.dumps(message) + "\r\n").encode("ascii"))

    def read(self):
        while True:
            select.select([self.socket], [], [])
            with self.inside:
                try:
                    return self.socket.recv(65536)
                except ssl.SSLWantReadError:
                    continue

    def run(self):
        rest = b""
        try:
            while True:
                piece = self.read()
                if not piece:
                    break
                rest += piece
                while b"\r\n" in rest:
                    line, rest = rest.split(b"\r\n", 1)
                    message = json.loads(line.decode("ascii"))
                    with self.changed:
                        self.take(message)
                        self.changed.notify_all()
        except OSError:
            # Closed, by the other side or by us.
            pass
        except Exception as error:
            self.broken = error
        with self.changed:
            self.over = True
            self.changed.notify_all()

    def wait(self, what, fits, seconds=30):
        with self.changed:
            found = self.changed.wait_for(lambda: self.broken or fits(), seconds)
        if self.broken:
            raise self.broken
        if not found:
            raise Wrong(f"the stream never told: {what}")

    def succeeded(self, number):
        self.wait(f"status {number}", lambda: number in self.statuses)
        if self.statuses[number]["statusCode"] != "SUCCESS":
            raise Wrong(f"status {self.statuses[number]}")

    def take(self, message):
        op = message["op"]
        if op == "connection":
            return
        if op == "status":
            self.statuses[shaped("status", message).get("id")] = message
            return
        shaped(op, message)
        clocks = self.clocks.setdefault(op, {})
        for name in ("initialClk", "clk"):
            if name in message:
                clocks[name] = message[name]
        if message.get("ct") != "HEARTBEAT":
            self.kinds.append((op, message.get("ct")))
        for one in message.get("mc", []):
            self.fold_market(shaped("mc", one))
        for one in message.get("oc", []):
            self.fold_orders(shaped("oc", one))

    def fold_market(self, change):
        if change.get("img"):
            self.markets[change["id"]] = {"definition": None, "runners": {}}
        elif change["id"] not in self.markets:
            raise Wrong(f"a change of {change['id']} before its image")
        market = self.markets[change["id"]]
        if "marketDefinition" in change:
            market["definition"] = shaped("definition", change["marketDefinition"])
        for one in change.get("rc", []):
            runner = market["runners"].setdefault(shaped("rc", one)["id"], {"atb": {}, "atl": {}})
            for side in ("atb", "atl"):
                for price, size in one.get(side, []):
                    fold_level(runner[side], cents(price), cents(size))

    def fold_orders(self, change):
        if change.get("closed"):
            self.closed_markets.add(change["id"])
        for runner in change.get("orc", []):
            shaped("orc", runner)
            for order in runner.get("uo", []):
                self.orders[shaped("uo", order)["id"]] = order
            position = self.matched.setdefault((change["id"], runner["id"]), {"mb": {}, "ml": {}})
            if runner.get("fullImage"):
                position["mb"], position["ml"] = {}, {}
            for side in ("mb", "ml"):
                for price, size in runner.get(side, []):
                    fold_level(position[side], cents(price), cents(size))

    def close(self):
        with self.inside:
            self.socket.shutdown(socket.SHUT_RDWR)


def fold_level(levels, price, size):
    if size == 0:
        levels.pop(price, None)
    else:
        levels[price] = size
