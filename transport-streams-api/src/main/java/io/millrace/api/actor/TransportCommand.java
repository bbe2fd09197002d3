package io.millrace.api.actor;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.BodyTarget;
import io.millrace.actor.pool.DrainReport;
import io.millrace.api.RequestAcceptor;
import io.millrace.api.TransferOptions;
import io.millrace.api.UnaryRequest;
import io.millrace.wire.Route;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What an application's actor asks of {@link TransportActor}. Peers are named by their handshake
 * addresses, host:port. Messages are local: they hold references and are not serialized.
 */
public sealed interface TransportCommand
    permits TransportCommand.Calling,
        TransportCommand.CancelCall,
        TransportCommand.Serving,
        TransportCommand.StopServing,
        TransportCommand.Drain,
        StreamCame {
  /** One that has exactly one {@link CallReply}, or opens a stream. */
  sealed interface Calling extends TransportCommand {}

  /**
   * One that is answered with {@link ServeReply}; it holds until {@link StopServing}, until the
   * transport is closed, or until another takes over the route of a server that has stopped.
   */
  sealed interface Serving extends TransportCommand {
    /** What is served. */
    Route route();

    /** Who learns whether it is. */
    ActorRef<ServeReply> replyTo();
  }

  /**
   * Brings everything to its end ahead of closing the transport, as {@link
   * io.millrace.api.Transport#drain} does; answered with one {@link DrainReply}.
   *
   * @param limit how long it may take, not negative, at most 365 days
   */
  record Drain(Duration limit, ActorRef<DrainReply> replyTo) implements TransportCommand {
    /** Who is told may not be null, and the limit must be in its range. */
    public Drain {
      Objects.requireNonNull(replyTo, "replyTo");
      DrainReport.requireLimit(limit);
    }
  }

  /**
   * One request, one response.
   *
   * @param correlation comes back in the reply
   */
  record Call(String peer, UnaryRequest request, long correlation, ActorRef<CallReply> replyTo)
      implements Calling {
    /** Who is told may not be null. */
    public Call {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Writes all bytes of a source to what the peer names; the source is closed, whatever happens.
   *
   * @param correlation comes back in the reply
   */
  record WriteBulk(
      String peer,
      Route route,
      BodySource source,
      TransferOptions options,
      long correlation,
      ActorRef<CallReply> replyTo)
      implements Calling {
    /** Who is told may not be null. */
    public WriteBulk {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Reads what the peer names into a target, which is completed or aborted, whatever happens.
   *
   * @param correlation comes back in the reply
   */
  record ReadBulk(
      String peer,
      Route route,
      BodyTarget target,
      TransferOptions options,
      long correlation,
      ActorRef<CallReply> replyTo)
      implements Calling {
    /** Who is told may not be null. */
    public ReadBulk {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Sends all bytes of a source to several peers, sealed once and in one allocation; the source,
   * whose length must be known, is closed, whatever happens. Answered with one {@link
   * CallReply.Delivered} when the last transfer has ended: each recipient has an outcome of its
   * own, also one whose address cannot be resolved ({@code HANDLER_FAILED}).
   *
   * @param headers travel ahead of the payload; at most {@code millrace.limits.headers} bytes
   * @param recipients a peer that is there twice gets it twice
   */
  record Broadcast(
      List<Recipient> recipients,
      Route route,
      BodySource source,
      byte[] headers,
      long correlation,
      ActorRef<CallReply> replyTo)
      implements Calling {
    /** Who is told may not be null. */
    public Broadcast {
      Objects.requireNonNull(replyTo, "replyTo");
      recipients = List.copyOf(recipients);
    }
  }

  /**
   * One peer of a {@link Broadcast}, and how its transfer is treated.
   *
   * @param priority 0, served first, to 7
   * @param deadline as that of {@link io.millrace.api.Destination}; zero for none
   */
  record Recipient(String peer, int priority, Duration deadline) {
    /** Nothing may be null. */
    public Recipient {
      Objects.requireNonNull(peer, "peer");
      Objects.requireNonNull(deadline, "deadline");
    }

    /** A peer, with priority 3 and no deadline. */
    public static Recipient of(String peer) {
      return new Recipient(peer, TransferOptions.DEFAULTS.priority(), Duration.ZERO);
    }
  }

  /**
   * Ends a call, bulk transfer or broadcast that has not ended: its one reply is {@link
   * CallReply.Failed} with {@code CANCELLED}, or {@link CallReply.Delivered} with that outcome for
   * each transfer that was open. Nothing is told of one that has ended, or never was.
   *
   * @param correlation of its command; of several with the same the last one is meant
   * @param replyTo of its command
   */
  record CancelCall(long correlation, ActorRef<CallReply> replyTo) implements TransportCommand {
    /** Who was to be told may not be null. */
    public CancelCall {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * One request, many responses.
   *
   * @param events learns of everything that happens; the stream ends when that actor stops
   */
  record OpenStreamingResponse(String peer, UnaryRequest request, ActorRef<StreamEvent> events)
      implements Calling {
    /** Who is told may not be null. */
    public OpenStreamingResponse {
      Objects.requireNonNull(events, "events");
    }
  }

  /**
   * Many requests, one response.
   *
   * @param events as in {@link OpenStreamingResponse}
   */
  record OpenStreamingRequest(
      String peer, Route route, TransferOptions options, ActorRef<StreamEvent> events)
      implements Calling {
    /** Who is told may not be null. */
    public OpenStreamingRequest {
      Objects.requireNonNull(events, "events");
    }
  }

  /**
   * Elements both ways.
   *
   * @param events as in {@link OpenStreamingResponse}
   */
  record OpenBidirectional(
      String peer, Route route, TransferOptions options, ActorRef<StreamEvent> events)
      implements Calling {
    /** Who is told may not be null. */
    public OpenBidirectional {
      Objects.requireNonNull(events, "events");
    }
  }

  /**
   * Gives requests of a route to an actor.
   *
   * @param acceptor which of them, by their headers and ahead of their payloads; the others are
   *     refused without the actor's knowledge. Called on the transport's executor, so it must not
   *     touch what is the actor's; an actor that has to decide by itself fails what it was given
   * @param server answers each; when it has stopped, callers are told so
   */
  record ServeUnary(
      Route route,
      RequestAcceptor acceptor,
      ActorRef<IncomingCall> server,
      ActorRef<ServeReply> replyTo)
      implements Serving {
    /** Nothing may be null. */
    public ServeUnary {
      Objects.requireNonNull(acceptor, "acceptor");
      Objects.requireNonNull(server, "server");
      Objects.requireNonNull(replyTo, "replyTo");
    }

    /** Gives all of them to the actor. */
    public ServeUnary(Route route, ActorRef<IncomingCall> server, ActorRef<ServeReply> replyTo) {
      this(route, RequestAcceptor.ALL, server, replyTo);
    }
  }

  /**
   * Gives streams to an actor that have one request and many responses.
   *
   * @param acceptor as in {@link ServeUnary}
   * @param server as in {@link ServeUnary}
   */
  record ServeStreamingResponse(
      Route route,
      RequestAcceptor acceptor,
      ActorRef<IncomingStream> server,
      ActorRef<ServeReply> replyTo)
      implements Serving {
    /** Nothing may be null. */
    public ServeStreamingResponse {
      Objects.requireNonNull(acceptor, "acceptor");
      Objects.requireNonNull(server, "server");
      Objects.requireNonNull(replyTo, "replyTo");
    }

    /** Gives all of them to the actor. */
    public ServeStreamingResponse(
        Route route, ActorRef<IncomingStream> server, ActorRef<ServeReply> replyTo) {
      this(route, RequestAcceptor.ALL, server, replyTo);
    }
  }

  /**
   * Gives streams to an actor that have many requests and one response.
   *
   * @param acceptor as in {@link ServeUnary}
   * @param server as in {@link ServeUnary}
   */
  record ServeStreamingRequest(
      Route route,
      RequestAcceptor acceptor,
      ActorRef<IncomingStream> server,
      ActorRef<ServeReply> replyTo)
      implements Serving {
    /** Nothing may be null. */
    public ServeStreamingRequest {
      Objects.requireNonNull(acceptor, "acceptor");
      Objects.requireNonNull(server, "server");
      Objects.requireNonNull(replyTo, "replyTo");
    }

    /** Gives all of them to the actor. */
    public ServeStreamingRequest(
        Route route, ActorRef<IncomingStream> server, ActorRef<ServeReply> replyTo) {
      this(route, RequestAcceptor.ALL, server, replyTo);
    }
  }

  /**
   * Gives streams to an actor that have elements both ways.
   *
   * @param acceptor as in {@link ServeUnary}
   * @param server as in {@link ServeUnary}
   */
  record ServeBidirectional(
      Route route,
      RequestAcceptor acceptor,
      ActorRef<IncomingStream> server,
      ActorRef<ServeReply> replyTo)
      implements Serving {
    /** Nothing may be null. */
    public ServeBidirectional {
      Objects.requireNonNull(acceptor, "acceptor");
      Objects.requireNonNull(server, "server");
      Objects.requireNonNull(replyTo, "replyTo");
    }

    /** Gives all of them to the actor. */
    public ServeBidirectional(
        Route route, ActorRef<IncomingStream> server, ActorRef<ServeReply> replyTo) {
      this(route, RequestAcceptor.ALL, server, replyTo);
    }
  }

  /**
   * Has nobody serve the route any more that this transport's actor was told of, in whichever way;
   * answered with {@link ServeReply.Ended}, also if nobody did. Callers hear {@code UNKNOWN_ROUTE}
   * from then on; what servers were given before is still theirs to decide.
   */
  record StopServing(Route route, ActorRef<ServeReply> replyTo) implements TransportCommand {
    /** Neither may be null. */
    public StopServing {
      Objects.requireNonNull(route, "route");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Asks an actor where the bytes go that peers write.
   *
   * @param server as in {@link ServeUnary}
   */
  record ServeBulkWrites(Route route, ActorRef<IncomingWrite> server, ActorRef<ServeReply> replyTo)
      implements Serving {
    /** Who is told may not be null. */
    public ServeBulkWrites {
      Objects.requireNonNull(server, "server");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Asks an actor what peers read.
   *
   * @param server as in {@link ServeUnary}
   */
  record ServeBulkReads(Route route, ActorRef<IncomingRead> server, ActorRef<ServeReply> replyTo)
      implements Serving {
    /** Who is told may not be null. */
    public ServeBulkReads {
      Objects.requireNonNull(server, "server");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }
}
