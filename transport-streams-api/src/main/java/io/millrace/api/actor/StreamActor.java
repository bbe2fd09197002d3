package io.millrace.api.actor;

import io.millrace.api.CallException;
import io.millrace.api.UnaryResponse;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.stream.QueueOfferResult;
import org.jspecify.annotations.Nullable;

/**
 * One stream of an application's actor: turns messages into offers and pulls, and what comes of
 * them into messages. It owns the stream's ends and ends them, whatever stops it; it stops when all
 * are over, or when the application's actor has stopped.
 */
final class StreamActor extends AbstractBehavior<StreamCommand> {
  private static final String USER_STOPPED = "the actor of this stream has stopped";
  private static final String STOPPED = "the transport's actor has stopped";
  private static final String BEYOND_DEMAND = "an element was pushed beyond the demand";

  private final StreamEnds ends;
  private final @Nullable PushedElements pushed;
  private final @Nullable PulledElements pulled;
  private ActorRef<?> user;
  private @Nullable ActorRef<StreamEvent> events;
  private boolean isResponseOver;
  private boolean isAnswerOver;

  private StreamActor(ActorContext<StreamCommand> context, StreamEnds ends, ActorRef<?> user) {
    super(context);
    this.ends = ends;
    this.user = user;
    pushed = ends.outgoing() == null ? null : new PushedElements(ends.outgoing());
    pulled = ends.incoming() == null ? null : new PulledElements(ends.incoming());
    context.watch(user);
  }

  /** A stream that was opened here. */
  static Behavior<StreamCommand> opened(StreamEnds ends, ActorRef<StreamEvent> events) {
    return Behaviors.setup(
        context -> {
          StreamActor actor = new StreamActor(context, ends, events);
          actor.begin(events);
          return actor;
        });
  }

  /** A stream that could not be opened: tells so. */
  static Behavior<StreamCommand> failed(Throwable failure, ActorRef<StreamEvent> events) {
    return Behaviors.setup(
        context -> {
          CallFailure told = CallFailure.of(failure);
          ActorRef<StreamCommand> self = context.getSelf();
          events.tell(new StreamEvent.Opened(self));
          events.tell(
              new StreamEvent.Failed(
                  self, StreamEvent.Direction.BOTH, told.outcome(), told.text()));
          return Behaviors.stopped();
        });
  }

  /** A stream that a peer opened, until the server or another actor accepts it. */
  static Behavior<StreamCommand> served(StreamCame came) {
    return Behaviors.setup(
        context -> {
          ActorRef<IncomingStream> server = came.route().server();
          StreamActor actor = new StreamActor(context, came.ends(), server);
          came.taken().complete(NotUsed.getInstance());
          StreamCame.Opening opening = came.opened();
          server.tell(
              new IncomingStream(
                  opening.peer(),
                  opening.priority(),
                  opening.headers(),
                  opening.payload(),
                  context.getSelf()));
          return actor;
        });
  }

  @Override
  public Receive<StreamCommand> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(Terminated.class, signal -> onUserStopped())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<StreamCommand> onCommand(StreamCommand command) {
    switch (command) {
      case StreamCommand.Accept(var to, byte[] headers) -> onAccept(to, headers);
      case StreamCommand.Request(long count) -> onRequest(count);
      case StreamCommand.Push(byte[] bytes) -> onPush(bytes);
      case StreamCommand.Complete() -> onComplete();
      case StreamCommand.Fail(String text) -> onFail(text);
      case StreamCommand.Cancel() -> onCancel();
      case StreamCommand.Respond(UnaryResponse response) -> onRespond(response);
      case StreamSignal signal -> onSignal(signal);
    }
    return isOver() ? Behaviors.stopped() : this;
  }

  private void onSignal(StreamSignal signal) {
    switch (signal) {
      case StreamSignal.HeadersCame came -> onHeaders(came.bytes(), came.failure());
      case StreamSignal.Pulled came -> onPulled(came);
      case StreamSignal.ElementsOver over -> onElementsOver(over.failure());
      case StreamSignal.PushTaken taken -> onTaken(taken);
      case StreamSignal.PushesOver over -> onPushesOver(over.failure());
      case StreamSignal.AnswerOver() -> onAnswerOver();
      case StreamSignal.ResponseCame came -> onResponse(came.response(), came.failure());
    }
  }

  private void onAccept(ActorRef<StreamEvent> to, byte[] headers) {
    if (events != null) {
      return;
    }
    if (ends.ownHeaders() != null) {
      var _ = ends.ownHeaders().complete(headers);
    }
    if (!to.equals(user)) {
      getContext().unwatch(user);
      getContext().watch(to);
      user = to;
    }
    begin(to);
  }

  /** From now on there is somebody to tell; what has ended before tells so at once. */
  private void begin(ActorRef<StreamEvent> to) {
    events = to;
    to.tell(new StreamEvent.Opened(self()));
    if (pushed != null) {
      to.tell(new StreamEvent.Demand(self(), StreamEnds.WINDOW));
      getContext()
          .pipeToSelf(
              pushed.ends().over(), (done, failure) -> new StreamSignal.PushesOver(failure));
    }
    if (pulled != null) {
      getContext()
          .pipeToSelf(
              pulled.ends().over(), (done, failure) -> new StreamSignal.ElementsOver(failure));
    }
    if (ends.response() != null) {
      getContext().pipeToSelf(ends.response(), StreamSignal.ResponseCame::new);
    }
    if (ends.answer() != null) {
      getContext().pipeToSelf(ends.answer(), (response, failure) -> new StreamSignal.AnswerOver());
    }
    if (ends.headers() != null) {
      getContext().pipeToSelf(ends.headers(), StreamSignal.HeadersCame::new);
    } else {
      goOn();
    }
  }

  /** Elements are pulled behind the headers only, so that they cannot overtake them. */
  private void onHeaders(byte @Nullable [] bytes, @Nullable Throwable failure) {
    if (pulled == null || pulled.isOver()) {
      return;
    }
    if (bytes != null) {
      tell(new StreamEvent.Headers(self(), bytes));
      goOn();
    } else {
      pulled.onEnd();
      tellFailure(StreamEvent.Direction.INCOMING, failure);
    }
  }

  private void onRequest(long count) {
    if (pulled != null) {
      pulled.request(count);
      goOn();
    }
  }

  private void onPulled(StreamSignal.Pulled came) {
    if (pulled == null || pulled.isOver()) {
      return;
    }
    if (came.failure() != null) {
      pulled.onEnd();
      tellFailure(StreamEvent.Direction.INCOMING, came.failure());
    } else if (came.element().isEmpty()) {
      pulled.onEnd();
      tell(new StreamEvent.Completed(self()));
    } else {
      pulled.onElement(came.element().get());
      goOn();
    }
  }

  private void onElementsOver(@Nullable Throwable failure) {
    if (pulled != null && failure != null) {
      pulled.onFailure(failure);
      tellFailureBehindHeld(pulled);
    }
  }

  /** What was requested goes ahead of a failure; what was not is dropped, for it may never be. */
  private void tellFailureBehindHeld(PulledElements elements) {
    Throwable failure = elements.failureBehindHeld();
    if (failure != null) {
      elements.onEnd();
      tellFailure(StreamEvent.Direction.INCOMING, failure);
    }
  }

  private void goOn() {
    if (pulled == null) {
      return;
    }
    pulled.deliver(element -> tell(new StreamEvent.Element(self(), element)));
    tellFailureBehindHeld(pulled);
    if (pulled.pollPull()) {
      getContext()
          .pipeToSelf(
              pulled.ends().queue().pull(),
              (element, failure) ->
                  new StreamSignal.Pulled(failure == null ? element : Optional.empty(), failure));
    }
  }

  private void onPush(byte[] bytes) {
    if (pushed == null || pushed.isEnding() || pushed.isOver()) {
      return;
    }
    if (events != null && pushed.take()) {
      getContext().pipeToSelf(pushed.ends().queue().offer(bytes), StreamSignal.PushTaken::new);
    } else {
      fail(CallOutcome.SOURCE_FAILED, BEYOND_DEMAND);
    }
  }

  private void onTaken(StreamSignal.PushTaken taken) {
    QueueOfferResult result = taken.result();
    boolean isTaken = result != null && result.isEnqueued();
    if (isTaken && pushed != null && !pushed.isEnding()) {
      pushed.onTaken();
      tell(new StreamEvent.Demand(self(), 1));
    }
  }

  private void onPushesOver(@Nullable Throwable failure) {
    if (pushed == null || pushed.isOver()) {
      return;
    }
    pushed.onOver();
    if (failure != null && !pushed.isFailed()) {
      tellFailure(StreamEvent.Direction.OUTGOING, failure);
    } else if (!pushed.isEnding()) {
      tell(new StreamEvent.NotWanted(self()));
    }
  }

  private void onResponse(@Nullable UnaryResponse response, @Nullable Throwable failure) {
    if (isResponseOver) {
      return;
    }
    isResponseOver = true;
    if (response != null) {
      tell(new StreamEvent.Responded(self(), response));
    } else {
      tellFailure(StreamEvent.Direction.INCOMING, failure);
    }
  }

  private void onAnswerOver() {
    if (!isAnswerOver && ends.answer() != null && ends.answer().isCancelled()) {
      tell(new StreamEvent.NotWanted(self()));
    }
    isAnswerOver = true;
  }

  private void onComplete() {
    if (pushed != null) {
      pushed.complete();
    }
  }

  private void onFail(String text) {
    if (events == null) {
      endAll(text);
      return;
    }
    if (pushed != null) {
      pushed.fail(text);
    }
    failResponse(text);
    failAnswer(text);
  }

  private void onCancel() {
    if (pulled != null) {
      pulled.cancel();
    }
    if (ends.response() != null) {
      isResponseOver = true;
      ends.cancelResponse();
    }
    if (ends.response() != null && pushed != null) {
      pushed.onOver();
    }
  }

  private void onRespond(UnaryResponse response) {
    if (ends.answer() != null) {
      var _ = ends.answer().complete(response);
    }
  }

  private Behavior<StreamCommand> onUserStopped() {
    endAll(USER_STOPPED);
    return Behaviors.stopped();
  }

  private Behavior<StreamCommand> onStop() {
    if (!isOver()) {
      fail(CallOutcome.CLOSED, STOPPED);
    }
    return this;
  }

  private void fail(CallOutcome outcome, String text) {
    endAll(text);
    tell(new StreamEvent.Failed(self(), StreamEvent.Direction.BOTH, outcome, text));
  }

  /** Ends what is open, so that the peer is told; nothing is told here any more. */
  private void endAll(String text) {
    if (pushed != null) {
      pushed.fail(text);
      pushed.onOver();
    }
    if (pulled != null) {
      pulled.cancel();
    }
    failResponse(text);
    failAnswer(text);
    isResponseOver = true;
    isAnswerOver = true;
  }

  private void failResponse(String text) {
    ends.failResponse(
        new CallException(CallOutcome.SOURCE_FAILED, text), getContext().getExecutionContext());
  }

  private void failAnswer(String text) {
    if (ends.answer() != null) {
      ends.answer().completeExceptionally(new ActorFailedException(text));
    }
  }

  private boolean isOver() {
    return (pushed == null || pushed.isOver())
        && (pulled == null || pulled.isOver())
        && (ends.response() == null || isResponseOver)
        && (ends.answer() == null || isAnswerOver || isAnsweredUnheard(ends.answer()));
  }

  /** Before anybody hears events, nothing is to be told of the answer. */
  private boolean isAnsweredUnheard(CompletableFuture<UnaryResponse> answer) {
    return events == null && answer.isDone();
  }

  private void tell(StreamEvent event) {
    if (events != null) {
      events.tell(event);
    }
  }

  private void tellFailure(StreamEvent.Direction direction, @Nullable Throwable failure) {
    CallFailure told =
        failure == null
            ? new CallFailure(CallOutcome.HANDLER_FAILED, "nothing came")
            : CallFailure.of(failure);
    tell(new StreamEvent.Failed(self(), direction, told.outcome(), told.text()));
  }

  private ActorRef<StreamCommand> self() {
    return getContext().getSelf();
  }
}
