package io.millrace.api.blocking;

import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.SinkShape;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** Ends a stream in a queue from which a thread takes the elements. */
final class RowSink<T> extends AbstractGraphStageWithMaterializedValue<SinkShape<T>, Arrivals<T>> {
  private final Inlet<T> in = Inlet.create("RowSink.in");
  private final SinkShape<T> shape = SinkShape.of(in);

  @Override
  public SinkShape<T> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, Arrivals<T>> createLogicAndMaterializedValuePair(
      Attributes attributes) {
    Logic<T> logic = new Logic<>(shape);
    return Pair.create(logic, logic.arrivals);
  }

  private static final class Logic<T> extends GraphStageLogic {
    private final Inlet<T> in;
    private final Arrivals<T> arrivals;

    Logic(SinkShape<T> shape) {
      super(shape);
      in = shape.in();
      AsyncCallback<Done> demand = createAsyncCallback(_ -> demand());
      AsyncCallback<Done> cancel = createAsyncCallback(_ -> completeStage());
      arrivals =
          new Arrivals<>(
              () -> demand.invoke(Done.getInstance()), () -> cancel.invoke(Done.getInstance()));
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              if (arrivals.add(grab(in))) {
                pull(in);
              }
            }

            @Override
            public void onUpstreamFinish() {
              arrivals.end(null);
              completeStage();
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              arrivals.end(failure);
              completeStage();
            }
          });
    }

    private void demand() {
      if (!isClosed(in) && !hasBeenPulled(in)) {
        pull(in);
      }
    }

    @Override
    public void preStart() {
      pull(in);
    }

    /** Also after the death of the actor system, which tells the stage nothing else. */
    @Override
    public void postStop() {
      arrivals.end(Waits.closed());
    }
  }
}
