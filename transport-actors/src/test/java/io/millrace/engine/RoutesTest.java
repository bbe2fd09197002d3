package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.body.BodyAcceptor;
import io.millrace.path.call.InboundHandler;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private static final RouteId FILE = RouteId.of("file");
  private static final InboundHandler HANDLER = call -> {};
  private static final BodyAcceptor ACCEPTOR =
      (peer, priority, headers, payloadBytes) -> new CompletableFuture<>();

  private final Routes routes = new Routes();

  @Test
  void shouldServeARouteBothWaysInEitherOrder() {
    RouteId other = RouteId.of("other");
    routes.add(FILE, HANDLER);
    assertNull(routes.findAcceptor(FILE.id()));
    routes.add(FILE, ACCEPTOR);
    routes.add(other, ACCEPTOR);
    assertNull(routes.find(other.id()));
    routes.add(other, HANDLER);

    for (RouteId route : new RouteId[] {FILE, other}) {
      assertSame(HANDLER, routes.find(route.id()));
      assertSame(ACCEPTOR, routes.findAcceptor(route.id()));
    }
  }

  @Test
  void shouldTakeOutWhatWasAddedAndNothingElse() {
    Runnable handler = routes.add(FILE, HANDLER);
    Runnable acceptor = routes.add(FILE, ACCEPTOR);

    handler.run();
    assertNull(routes.find(FILE.id()));
    assertSame(ACCEPTOR, routes.findAcceptor(FILE.id()));
    InboundHandler next = call -> {};
    routes.add(FILE, next);
    handler.run();
    assertSame(next, routes.find(FILE.id()), "what was taken out was taken out twice");
    acceptor.run();
    assertNull(routes.findAcceptor(FILE.id()));
    assertSame(next, routes.find(FILE.id()));
  }

  @Test
  void shouldTakeOutTheLastOfARoute() {
    routes.add(FILE, ACCEPTOR).run();
    assertNull(routes.findAcceptor(FILE.id()));
    routes.add(FILE, ACCEPTOR);
    assertSame(ACCEPTOR, routes.findAcceptor(FILE.id()));
  }

  @Test
  void shouldServeARouteOnceEachWay() {
    routes.add(FILE, HANDLER);
    routes.add(FILE, ACCEPTOR);

    for (Runnable again :
        new Runnable[] {() -> routes.add(FILE, HANDLER), () -> routes.add(FILE, ACCEPTOR)}) {
      String text = assertThrows(IllegalArgumentException.class, again::run).getMessage();
      assertEquals("route 'file' is served already", text);
    }
  }
}
