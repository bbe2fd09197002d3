package io.millrace.samples.bench.rsocket;

import io.millrace.samples.bench.peer.BulkLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.util.ByteBufPayload;
import io.rsocket.util.DefaultPayload;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;

/**
 * Sends the blocks of a loop as payloads of a single channel, at the receiver's request. Event
 * loop.
 */
final class RSocketBulkSender {
  private final BulkLoop loop;
  private @Nullable ByteBuf repeated;
  private boolean begun;

  private RSocketBulkSender(BulkLoop loop) {
    this.loop = loop;
  }

  /** Begins the channel; the channel ends with the loop. */
  static void start(RSocket rsocket, BulkLoop loop) {
    RSocketBulkSender sender = new RSocketBulkSender(loop);
    var _ =
        rsocket
            .requestChannel(Flux.generate(sender::next))
            .doFinally(signal -> sender.release())
            .subscribe(sender::onAnswer, failure -> loop.onFailure(failure.toString()));
  }

  private void next(SynchronousSink<Payload> sink) {
    if (!begun) {
      begun = true;
      sink.next(DefaultPayload.create(new byte[] {(byte) (loop.isVerifying() ? 1 : 0)}));
    } else if (!loop.canSend()) {
      sink.complete();
    } else {
      sink.next(ByteBufPayload.create(block(loop.next())));
    }
  }

  /** A timed loop repeats the same block, which therefore lies in native memory once. */
  private ByteBuf block(byte[] bytes) {
    if (loop.isVerifying()) {
      return PooledByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }
    ByteBuf direct = repeated;
    if (direct == null) {
      direct = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
      repeated = direct;
    }
    return direct.retainedDuplicate();
  }

  private void onAnswer(Payload payload) {
    ByteBuf data = payload.sliceData();
    loop.onDelivered(data.readLong(), data.readLong());
    payload.release();
  }

  private void release() {
    ByteBuf block = repeated;
    repeated = null;
    if (block != null) {
      block.release();
    }
  }
}
