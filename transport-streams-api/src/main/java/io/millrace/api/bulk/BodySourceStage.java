package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.SinkShape;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;

/** The end of a stream read by a transfer: takes elements while the queue has room. */
final class BodySourceStage
    extends AbstractGraphStageWithMaterializedValue<SinkShape<ByteString>, BodySource> {
  private final Inlet<ByteString> in = Inlet.create("BodySource.in");
  private final SinkShape<ByteString> shape = SinkShape.of(in);
  private final long lengthBytes;
  private final int bufferBytes;

  BodySourceStage(long lengthBytes, int bufferBytes) {
    this.lengthBytes = lengthBytes;
    this.bufferBytes = bufferBytes;
  }

  @Override
  public SinkShape<ByteString> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, BodySource> createLogicAndMaterializedValuePair(
      Attributes attributes) {
    Logic logic = new Logic(new ChunkQueue(bufferBytes));
    return Pair.create(logic, new StreamSource(logic.queue, lengthBytes, logic::wake));
  }

  private final class Logic extends GraphStageLogic {
    private final ChunkQueue queue;
    private final AsyncCallback<ChunkQueue> woken = createAsyncCallback(woken -> goOn());

    Logic(ChunkQueue queue) {
      super(shape);
      this.queue = queue;
      queue.onWakeProducer(this::wake);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              take(grab(in));
            }

            @Override
            public void onUpstreamFinish() {
              queue.end(null);
              completeStage();
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              queue.end(failure);
              failStage(failure);
            }
          });
    }

    void wake() {
      woken.invoke(queue);
    }

    @Override
    public void preStart() {
      goOn();
    }

    private void take(ByteString chunk) {
      if (!chunk.isEmpty()) {
        queue.offer(chunk);
      }
      goOn();
    }

    private void goOn() {
      if (queue.isCancelled()) {
        cancelStage(new CancelledException("the transfer that reads the stream has ended"));
      } else if (!hasBeenPulled(in) && queue.hasRoomOrWaits()) {
        pull(in);
      }
    }

    @Override
    public void postStop() {
      if (!queue.isEnded()) {
        queue.end(new IllegalStateException("the stream was stopped before its end"));
      }
    }
  }
}
