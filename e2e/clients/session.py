"""
A session of 200 orders by Python's standard library alone: placed, matched, cut, changed, replaced and cancelled over REST,
JSON-RPC and stream; then everything the exchange says of them is compared, to the cent.

    python3 session.py BASE STREAM_HOST:PORT CA_FILE USER PASSWORD APP_KEY EVENT_NAME

Says one line of JSON when it has traded, waits for a line (the market is settled meanwhile), says one more and ends.
"""

import json
import sys
import time

from wire import Calls, Stream, Wrong, cents, shaped

STRATEGY = "py-session"


def same(what, found, wanted):
    if found != wanted:
        raise Wrong(f"{what}: {found!r} is not {wanted!r}")


class Session:
    def __init__(self, base, stream, ca, user, password, app_key, event_name):
        self.ca, self.app_key, self.event_name = ca, app_key, event_name
        host, port = stream.rsplit(":", 1)
        self.stream_at = (host, int(port))
        self.calls = Calls(base, ca, app_key)
        self.calls.login(user, password)
        same("keepAlive", self.calls.identity("keepAlive")["token"], self.calls.token)
        self.stream = None
        self.number = 0
        # What every bet must be by what we were answered: bet id -> order.
        self.orders = {}

    # The market

    def find(self):
        types = self.calls.rest("betting", "listEventTypes", {"filter": {}})
        football = [one["eventType"]["id"] for one in types if one["eventType"]["name"] == "Soccer"]
        found = {"eventTypeIds": football, "textQuery": self.event_name}
        events = self.calls.rpc("betting", [("listEvents", {"filter": found})])[0]
        same("events", [shaped("event", one["event"])["name"] for one in events], [self.event_name])
        asked = {
            "filter": {"eventIds": [events[0]["event"]["id"]], "marketTypeCodes": ["MATCH_ODDS"]},
            "maxResults": "10",
            "marketProjection": ["EVENT", "RUNNER_DESCRIPTION", "MARKET_DESCRIPTION", "COMPETITION", "EVENT_TYPE"],
        }
        (market,) = self.calls.rest("betting", "listMarketCatalogue", asked)
        shaped("catalogue", market)
        self.base_rate = cents(shaped("description", market["description"])["marketBaseRate"])
        self.market = market["marketId"]
        self.runners = [shaped("runnerCatalogue", one)["selectionId"] for one in market["runners"]]
        self.start_funds = self.funds()
        same("exposure before", self.start_funds[1], 0)

    def subscribe(self, clocks=None, markets=None):
        self.stream = Stream(*self.stream_at, self.ca, self.app_key, self.calls.token, markets or {})
        market_filter = {"marketIds": [self.market]}
        fields = ["EX_ALL_OFFERS", "EX_LTP", "EX_MARKET_DEF"]
        wish = {"op": "marketSubscription", "id": 2, "marketFilter": market_filter, "marketDataFilter": {"fields": fields}}
        self.stream.send({**wish, **(clocks or {})})
        orders = {"includeOverallPosition": True, "partitionMatchedByStrategyRef": True}
        self.stream.send({"op": "orderSubscription", "id": 3, "orderFilter": orders, "initialClk": None, "clk": None})
        self.stream.send({"op": "heartbeat", "id": 4})
        for number in (1, 2, 3, 4):
            self.stream.succeeded(number)

    def come_back(self):
        """The connection breaks, and the next one goes on where it was."""
        before = self.stream
        before.close()
        self.subscribe(before.clocks["mcm"], before.markets)
        stream = self.stream
        stream.wait("where it went on", lambda: any(op == "mcm" for op, _ in stream.kinds))
        same("after the break", [ct for op, ct in stream.kinds if op == "mcm"][0], "RESUB_DELTA")

    # Orders

    def instruction(self, side, runner, price, size, **more):
        self.number += 1
        limit = {"size": size, "price": price, "persistenceType": "LAPSE", **more}
        # As such programs write them: nulls, and decimals as text.
        return {
            "orderType": "LIMIT",
            "selectionId": str(runner) if self.number % 3 == 0 else runner,
            "handicap": 0,
            "side": side,
            "customerOrderRef": f"py-{self.number}",
            "limitOrder": {**limit, "minFillSize": None, "size": str(size) if self.number % 2 == 0 else size},
        }

    def params(self, instructions, **more):
        return {
            "marketId": self.market,
            "customerRef": f"py-package-{self.number}",
            "customerStrategyRef": STRATEGY,
            "instructions": instructions,
            **more,
        }

    def take_report(self, report, instructions):
        shaped("report", report)
        same("status", report["status"], "SUCCESS")
        same("reports", len(report["instructionReports"]), len(instructions))
        for asked, one in zip(instructions, report["instructionReports"]):
            shaped("placed", one)
            same("its order", one["instruction"]["customerOrderRef"], asked["customerOrderRef"])
            limit = one["instruction"]["limitOrder"]
            self.note(one, int(asked["selectionId"]), asked["side"], limit, asked["customerOrderRef"])

    def note(self, report, runner, side, limit, ref):
        size, matched = cents(limit["size"]), cents(report["sizeMatched"])
        expired = report["orderStatus"] == "EXPIRED"
        rest = 0 if expired else size - matched
        same("order status", report["orderStatus"], "EXPIRED" if expired else "EXECUTABLE" if rest else "EXECUTION_COMPLETE")
        self.orders[report["betId"]] = {
            "runner": runner,
            "side": side,
            "price": cents(limit["price"]),
            "size": size,
            "matched": matched,
            "average": cents(report["averagePriceMatched"]),
            "rest": rest,
            "cancelled": size - matched if expired else 0,
            "persistence": "LAPSE",
            "ref": ref,
        }

    def place_rest(self, instructions):
        self.take_report(self.calls.rest("betting", "placeOrders", self.params(instructions)), instructions)

    def place_rpc(self, *packages):
        asked = [("placeOrders", {**self.params(one), "customerRef": f"py-batch-{at}"}) for at, one in enumerate(packages)]
        for report, instructions in zip(self.calls.rpc("betting", asked), packages):
            self.take_report(report, instructions)

    def place_async(self, instructions):
        report = self.calls.rest("betting", "placeOrders", self.params(instructions, **{"async": True}))
        for one in report["instructionReports"]:
            same("async", (shaped("placed", one)["orderStatus"], "betId" in one), ("PENDING", False))
        refs = {one["customerOrderRef"]: one for one in instructions}
        stream = self.stream
        stream.wait("orders placed without waiting", lambda: refs.keys() <= {one["rfo"] for one in stream.orders.values()})
        for order in list(stream.orders.values()):
            if order["rfo"] not in refs:
                continue
            asked = refs[order["rfo"]]
            told = {
                "betId": order["id"],
                "sizeMatched": order["sm"],
                "averagePriceMatched": order.get("avp", 0),
                "orderStatus": "EXECUTABLE" if order["status"] == "E" else "EXECUTION_COMPLETE",
            }
            self.note(told, int(asked["selectionId"]), asked["side"], {"size": order["s"], "price": order["p"]}, order["rfo"])

    def bets(self, fits):
        return [bet_id for bet_id, order in self.orders.items() if fits(order)]

    def change(self, name, instructions):
        report = self.calls.rpc("betting", [(name, {"marketId": self.market, "instructions": instructions})])[0]
        shaped("report", report)
        same(name, report["status"], "SUCCESS")
        same(f"{name} reports", len(report["instructionReports"]), len(instructions))
        return report["instructionReports"]

    def trade(self):
        """Two hundred orders. Backs are matched on the first runner, lays on the second; on the third they rest."""
        home, away, draw = self.runners
        one = self.instruction
        backs = [one("BACK", home, 2.0, round(1 + n / 100, 2)) for n in range(40)]
        lays = [one("LAY", away, 3.9, round(2 + n / 100, 2)) for n in range(40)]
        self.place_rest([instruction for pair in zip(backs, lays) for instruction in pair])
        killed = [one("BACK", home, 3.0, 5, timeInForce="FILL_OR_KILL") for _ in range(10)]
        above = [one("BACK", draw, 5.0, round(1 + n / 10, 2)) for n in range(30)]
        below = [one("LAY", draw, 2.0, round(1.5 + n / 10, 2)) for n in range(30)]
        self.place_rpc(killed + above, below)
        self.come_back()
        self.place_async([one("BACK", draw, 5.5, 2.25) for _ in range(20)] + [one("LAY", away, 1.5, 3) for _ in range(30)])
        same("orders", self.number, 200)
        self.cut()
        self.replace()
        # Lays of the second runner that rest are taken back, all but five, by one call with no instructions for each.
        resting = self.bets(lambda order: order["runner"] == away and order["rest"])
        for report in self.change("cancelOrders", [{"betId": bet_id} for bet_id in resting[5:]]):
            self.cancelled(report)

    def cut(self):
        draw = self.runners[2]
        backs = self.bets(lambda order: order["runner"] == draw and order["side"] == "BACK" and order["price"] == 500)
        for report in self.change("cancelOrders", [{"betId": bet_id, "sizeReduction": 0.4} for bet_id in backs[:15]]):
            same("cut", cents(shaped("cancelled", report)["sizeCancelled"]), 40)
            self.cancelled(report)
        kept = [{"betId": bet_id, "newPersistenceType": "PERSIST"} for bet_id in backs[:10]]
        for report in self.change("updateOrders", kept):
            self.orders[shaped("updated", report)["instruction"]["betId"]]["persistence"] = "PERSIST"

    def cancelled(self, report):
        order = self.orders[shaped("cancelled", report)["instruction"]["betId"]]
        taken = cents(report["sizeCancelled"])
        order["rest"] -= taken
        order["cancelled"] += taken

    def replace(self):
        """Half of the resting lays go to where they are met, the others one step up."""
        draw = self.runners[2]
        lays = self.bets(lambda order: order["runner"] == draw and order["side"] == "LAY")
        asked = [{"betId": bet_id, "newPrice": 3.5 if at < 15 else 2.1} for at, bet_id in enumerate(lays)]
        if self.change("updateOrders", [{"betId": lays[0], "newPersistenceType": "PERSIST"}]):
            self.orders[lays[0]]["persistence"] = "PERSIST"
        for report in self.change("replaceOrders", asked):
            shaped("replaced", report)
            old = report["cancelInstructionReport"]["instruction"]["betId"]
            self.cancelled(report["cancelInstructionReport"])
            same("what was left of it", self.orders[old]["rest"], 0)
            placed = shaped("placed", report["placeInstructionReport"])
            self.note(placed, draw, "LAY", placed["instruction"]["limitOrder"], self.orders[old]["ref"])
            self.orders[placed["betId"]]["persistence"] = placed["instruction"]["limitOrder"]["persistenceType"]

    # What is said of them

    def funds(self):
        told = shaped("funds", self.calls.rpc("account", [("getAccountFunds", {"wallet": "UK"})])[0])
        return cents(told["availableToBetBalance"]), cents(told["exposure"])

    def pages(self, name, key, params, size):
        rows, more = [], True
        while more:
            page = self.calls.rest("betting", name, {**params, "fromRecord": len(rows), "recordCount": size})
            shaped(key, page)
            rows += page[key]
            more = page["moreAvailable"]
        return rows

    def worst(self):
        """What the open position can lose: matched bets as they are, unmatched ones where they would lose."""
        def pays(order, winner, size, price):
            gain = size * (price - 100) if order["runner"] == winner else -size * 100
            return gain if order["side"] == "BACK" else -gain

        outcomes = []
        for winner in self.runners:
            total = 0
            for order in self.orders.values():
                total += pays(order, winner, order["matched"], order["average"])
                total += min(0, pays(order, winner, order["rest"], order["price"]))
            outcomes.append(total)
        return min(0, *outcomes)

    def compare_orders(self):
        listed = {one["betId"]: shaped("current", one) for one in self.pages(
            "listCurrentOrders", "currentOrders", {"marketIds": [self.market]}, 60)}
        same("current orders", set(listed), set(self.bets(lambda order: order["rest"] or order["matched"])))
        for bet_id, told in listed.items():
            order = self.orders[bet_id]
            found = {
                "runner": told["selectionId"],
                "side": told["side"],
                "price": cents(told["priceSize"]["price"]),
                "size": cents(told["priceSize"]["size"]),
                "matched": cents(told["sizeMatched"]),
                "average": cents(told["averagePriceMatched"]),
                "rest": cents(told["sizeRemaining"]),
                "cancelled": cents(told["sizeCancelled"]),
                "persistence": told["persistenceType"],
                "ref": told["customerOrderRef"],
            }
            same(f"order {bet_id}", found, order)
            same("strategy", told["customerStrategyRef"], STRATEGY)
        gone = self.pages("listClearedOrders", "clearedOrders", {"betStatus": "CANCELLED", "marketIds": [self.market]}, 40)
        found = {shaped("cleared", one)["betId"]: cents(one["sizeCancelled"]) for one in gone}
        wanted = self.bets(lambda order: order["cancelled"] and not order["rest"])
        same("cancelled orders", found, {bet_id: self.orders[bet_id]["cancelled"] for bet_id in wanted})

    def compare_stream(self):
        stream = self.stream

        def told(bet_id):
            one = stream.orders.get(bet_id)
            return one and [cents(one[name]) for name in ("sm", "sr", "sc")]

        def wanted(order):
            return [order["matched"], order["rest"], order["cancelled"]]

        # What ended before the connection came back is not told again.
        seen = {bet_id: order for bet_id, order in self.orders.items() if order["rest"] or bet_id in stream.orders}
        stream.wait("the orders as they are", lambda: all(told(bet_id) == wanted(one) for bet_id, one in seen.items()))
        for bet_id, order in seen.items():
            one = stream.orders[bet_id]
            same("on the stream", (one["status"], one["rfo"], one["rfs"]), ("E" if order["rest"] else "EC", order["ref"], STRATEGY))
            same("persistence on the stream", one["pt"], order["persistence"][0])
            same("side on the stream", one["side"], order["side"][0])
        for runner in self.runners:
            for side, name in (("BACK", "mb"), ("LAY", "ml")):
                sizes = {}
                for bet_id in self.bets(lambda order: (order["runner"], order["side"]) == (runner, side) and order["matched"]):
                    order = self.orders[bet_id]
                    sizes[order["average"]] = sizes.get(order["average"], 0) + order["matched"]
                same(f"{name} of {runner}", stream.matched.get((self.market, runner), {"mb": {}, "ml": {}})[name], sizes)

    def compare_book(self):
        asked = {"marketIds": [self.market], "priceProjection": {"priceData": ["EX_ALL_OFFERS"]}}

        def listed():
            (book,) = self.calls.rest("betting", "listMarketBook", asked)
            levels = {}
            for runner in shaped("book", book)["runners"]:
                ex = shaped("ex", shaped("runner", runner)["ex"])
                levels[runner["selectionId"]] = tuple(
                    {cents(shaped("level", one)["price"]): cents(one["size"]) for one in ex[side]}
                    for side in ("availableToBack", "availableToLay")
                )
            return levels

        wanted = listed()
        stream = self.stream

        def folded():
            runners = stream.markets[self.market]["runners"]
            return {one: (runners.get(one, {}).get("atb", {}), runners.get(one, {}).get("atl", {})) for one in self.runners}

        stream.wait("the book as it is listed", lambda: folded() == wanted)

    def compare(self):
        self.compare_orders()
        self.compare_stream()
        self.compare_book()
        available, exposure = self.funds()
        # Hundredths of price times hundredths of money; what is not a whole cent is held as one.
        same("exposure", exposure, self.worst() // 100)
        same("what is left to bet with", available, self.start_funds[0] + exposure)

    def settled(self):
        stream = self.stream
        stream.wait("the market closed", lambda: self.market in stream.closed_markets)
        definition = stream.markets[self.market]["definition"]
        stream.wait("the result", lambda: stream.markets[self.market]["definition"]["status"] == "CLOSED")
        definition = stream.markets[self.market]["definition"]
        (winner,) = [one["id"] for one in definition["runners"] if one["status"] == "WINNER"]
        params = {"betStatus": "SETTLED", "marketIds": [self.market]}
        rows = {one["betId"]: shaped("cleared", one) for one in self.pages("listClearedOrders", "clearedOrders", params, 70)}
        same("settled orders", set(rows), set(self.bets(lambda order: order["matched"])))
        total = exact = 0
        for bet_id, row in rows.items():
            order = self.orders[bet_id]
            gain = order["matched"] * (order["average"] - 100) if order["runner"] == winner else -order["matched"] * 100
            wins = gain if order["side"] == "BACK" else -gain
            profit = cents(row["profit"])
            if abs(profit * 100 - wins) >= 100:
                raise Wrong(f"profit of {bet_id}: {profit}, not {wins / 100}")
            exact += wins
            same("outcome", row["betOutcome"], "WON" if profit > 0 else "LOST")
            same("size settled", cents(row["sizeSettled"]), order["matched"])
            total += profit
        # Each to within a cent, and all together to what is not a whole one.
        same("profit of all", total, exact // 100)
        (market,) = self.pages("listClearedOrders", "clearedOrders", {**params, "groupBy": "MARKET"}, 10)
        same("the market's profit", cents(shaped("cleared", market)["profit"]), total)
        commission = cents(market["commission"])
        same("commission", commission, (max(0, total) * self.base_rate + 5000) // 10000)
        lapsed = self.pages("listClearedOrders", "clearedOrders", {"betStatus": "LAPSED", "marketIds": [self.market]}, 50)
        same("lapsed orders", {one["betId"] for one in lapsed}, set(self.bets(lambda order: order["rest"])))
        same("current orders at the end", self.pages("listCurrentOrders", "currentOrders", {}, 50), [])
        same("funds at the end", self.funds(), (self.start_funds[0] + total - commission, 0))
        return {"bets": len(rows), "profitMinor": total, "commissionMinor": commission, "availableMinor": self.funds()[0]}

    def leave(self):
        same("logout", self.calls.identity("logout")["status"], "SUCCESS")
        self.stream.wait("the end of its session", lambda: self.stream.over)
        same("why", self.stream.statuses[None]["errorCode"], "INVALID_SESSION_INFORMATION")


def main():
    session = Session(*sys.argv[1:8])
    session.find()
    session.subscribe()
    began = time.monotonic()
    session.trade()
    session.compare()
    orders = len(session.orders)
    print(json.dumps({"traded": orders, "orders": session.number, "ms": round((time.monotonic() - began) * 1000)}), flush=True)
    sys.stdin.readline()
    told = session.settled()
    session.leave()
    print(json.dumps({"settled": told}), flush=True)


main()
