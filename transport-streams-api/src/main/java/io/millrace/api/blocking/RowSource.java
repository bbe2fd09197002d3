package io.millrace.api.blocking;

import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.SubscriptionWithCancelException;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/** Begins a stream with a queue into which a thread puts the elements. */
final class RowSource<T>
    extends AbstractGraphStageWithMaterializedValue<SourceShape<T>, Departures<T>> {
  private final Outlet<T> out = Outlet.create("RowSource.out");
  private final SourceShape<T> shape = SourceShape.of(out);
  private final Consumer<Departures<T>> onStart;
  private final Runnable onStop;

  /** Creates a source for a thread that has the materialized queue. */
  RowSource() {
    this(_ -> {}, () -> {});
  }

  /**
   * Creates a source.
   *
   * @param onStart gets the queue when the graph starts
   * @param onStop runs when the stream has ended
   */
  RowSource(Consumer<Departures<T>> onStart, Runnable onStop) {
    this.onStart = onStart;
    this.onStop = onStop;
  }

  @Override
  public SourceShape<T> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, Departures<T>> createLogicAndMaterializedValuePair(
      Attributes attributes) {
    Logic logic = new Logic();
    return Pair.create(logic, logic.departures);
  }

  private final class Logic extends GraphStageLogic {
    private final Departures<T> departures;

    Logic() {
      super(shape);
      AsyncCallback<Done> woken = createAsyncCallback(_ -> goOn());
      departures = new Departures<>(() -> woken.invoke(Done.getInstance()));
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              goOn();
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              departures.cancel(failureOf(cause));
              completeStage();
            }
          });
    }

    private void goOn() {
      Throwable failure = departures.failure();
      if (failure != null) {
        departures.cancel(failure);
        failStage(failure);
        return;
      }
      if (isAvailable(out)) {
        T row = departures.poll();
        if (row != null) {
          push(out, row);
        }
      }
      if (departures.isDrained()) {
        completeStage();
      }
    }

    @Override
    public void preStart() {
      onStart.accept(departures);
    }

    /** Also after the death of the actor system, which tells the stage nothing else. */
    @Override
    public void postStop() {
      departures.cancel(Waits.closed());
      onStop.run();
    }
  }

  private static @Nullable Throwable failureOf(Throwable cause) {
    return cause instanceof SubscriptionWithCancelException.NonFailureCancellation ? null : cause;
  }
}
