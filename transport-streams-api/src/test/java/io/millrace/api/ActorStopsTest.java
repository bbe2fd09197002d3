package io.millrace.api;

import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.actor.CallReply;
import io.millrace.api.actor.IncomingCall;
import io.millrace.api.actor.IncomingStream;
import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import io.millrace.api.actor.StreamEvent.Direction;
import io.millrace.api.actor.TransportCommand;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.testkit.driver.Impairment;
import io.millrace.testkit.sim.core.SimThread;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.wire.Route;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An actor that serves stops at any moment of what peers ask of it, and none of them waits on. */
@Timeout(120)
class ActorStopsTest {
  private static final Route CALLS = Route.of("calls");
  private static final Route REQUESTS = Route.of("requests");
  private static final Route BOTH_WAYS = Route.of("both ways");
  private static final int SEEDS = 25;
  private static final int EACH = 4;
  private static final long STEP_NS = 13_000;

  /** The servers, or the actor of their transport. */
  enum Stopped {
    SERVERS,
    TRANSPORT
  }

  @ParameterizedTest
  @EnumSource(Stopped.class)
  void shouldTellEverybodyWhateverTheMoment(Stopped stopped) throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      int moment = seed;
      SimThread.call(
          () -> {
            try (Simulation simulation = new Simulation(moment);
                SimulatedPair nodes =
                    new SimulatedPair(simulation, new Impairment(moment, 2, 2, 2, 4, 0))) {
              run(simulation, nodes, stopped, moment * STEP_NS);
            }
            return null;
          });
    }
  }

  private static void run(Simulation simulation, SimulatedPair nodes, Stopped stopped, long afterNs)
      throws Exception {
    ActorPair actors = new ActorPair(nodes);
    ActorInbox<IncomingCall> calls = actors.serveUnary(CALLS);
    ActorInbox<IncomingStream> requests = actors.serveStreamingRequest(REQUESTS);
    ActorInbox<IncomingStream> bothWays = actors.serveBidirectional(BOTH_WAYS);
    nodes.await(nodes.peer().connect());
    ActorInbox<CallReply> replies = new ActorInbox<>(nodes, nodes.client());
    List<ActorInbox<StreamEvent>> streams = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      actors.call(new UnaryRequest(CALLS, new byte[1], options()), i, replies);
      ActorInbox<StreamEvent> events = new ActorInbox<>(nodes, nodes.client());
      streams.add(events);
      actors.client.tell(
          new TransportCommand.OpenStreamingRequest(
              actors.address(), REQUESTS, options(), events.ref()));
      ActorInbox<StreamEvent> others = new ActorInbox<>(nodes, nodes.client());
      streams.add(others);
      actors.client.tell(
          new TransportCommand.OpenBidirectional(
              actors.address(), BOTH_WAYS, options(), others.ref()));
    }

    simulation.runUntil(() -> false, simulation.nowNs() + afterNs);
    if (stopped == Stopped.TRANSPORT) {
      actors.stopServer();
    } else {
      calls.stop();
      requests.stop();
      bothWays.stop();
    }

    for (int i = 0; i < EACH; i++) {
      assertEquals(CallOutcome.HANDLER_FAILED, replies.next(CallReply.Failed.class).outcome());
    }
    for (ActorInbox<StreamEvent> events : streams) {
      ActorEnd end = ActorEnd.opened(events);
      assertEquals(CallOutcome.HANDLER_FAILED, end.nextFailure(Direction.INCOMING).outcome());
      end.tell(new StreamCommand.Complete());
    }
    StreamChecks.awaitNothingOpen(nodes);
  }
}
