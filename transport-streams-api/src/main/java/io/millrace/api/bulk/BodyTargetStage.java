package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;

/** The beginning of a stream written by a transfer: pushes the queued chunks on demand. */
final class BodyTargetStage
    extends AbstractGraphStageWithMaterializedValue<SourceShape<ByteString>, BodyTarget> {
  private final Outlet<ByteString> out = Outlet.create("BodyTarget.out");
  private final SourceShape<ByteString> shape = SourceShape.of(out);
  private final int bufferBytes;

  BodyTargetStage(int bufferBytes) {
    this.bufferBytes = bufferBytes;
  }

  @Override
  public SourceShape<ByteString> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, BodyTarget> createLogicAndMaterializedValuePair(
      Attributes attributes) {
    Logic logic = new Logic(new ChunkQueue(bufferBytes));
    return Pair.create(logic, new StreamTarget(logic.queue, logic::wake));
  }

  private final class Logic extends GraphStageLogic {
    private final ChunkQueue queue;
    private final AsyncCallback<ChunkQueue> woken = createAsyncCallback(woken -> goOn());

    Logic(ChunkQueue queue) {
      super(shape);
      this.queue = queue;
      queue.onWakeConsumer(this::wake);
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              goOn();
            }
          });
    }

    void wake() {
      woken.invoke(queue);
    }

    private void goOn() {
      Throwable failure = queue.failure();
      if (failure != null) {
        failStage(failure);
        return;
      }
      ByteString chunk = isAvailable(out) ? queue.pollOrWait() : null;
      if (chunk != null) {
        push(out, chunk);
      }
      if (queue.isExhausted()) {
        finish();
      }
    }

    private void finish() {
      Throwable failure = queue.failure();
      if (failure == null) {
        completeStage();
      } else {
        failStage(failure);
      }
    }

    @Override
    public void postStop() {
      queue.cancel();
    }
  }
}
