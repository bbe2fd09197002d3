package io.millrace.samples.bench.rsocket;

import io.millrace.samples.bench.peer.BulkTally;
import io.netty.buffer.ByteBuf;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.util.DefaultPayload;
import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Echoes requests; answers a channel, once it has ended, with the number of bytes and their
 * checksum. The first payload of a channel has a single byte: whether to verify.
 */
final class RSocketService implements RSocket {
  /** The number of payloads that the receiver of a channel requests ahead. */
  static final int AHEAD = 16;

  @Override
  public Mono<Payload> requestResponse(Payload payload) {
    return Mono.just(payload);
  }

  @Override
  public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
    Channel channel = new Channel();
    return Flux.from(payloads)
        .limitRate(AHEAD)
        .doOnNext(channel::onPayload)
        .then(Mono.fromSupplier(channel::answer))
        .flux();
  }

  private static final class Channel {
    private BulkTally tally = new BulkTally(false);
    private boolean begun;

    void onPayload(Payload payload) {
      ByteBuf data = payload.sliceData();
      if (!begun) {
        begun = true;
        tally = new BulkTally(data.readByte() != 0);
      } else if (tally.isVerifying()) {
        for (ByteBuffer part : data.nioBuffers()) {
          tally.onBytes(part);
        }
      } else {
        tally.onBytes(data.readableBytes());
      }
      payload.release();
    }

    Payload answer() {
      ByteBuffer answer = ByteBuffer.allocate(2 * Long.BYTES);
      answer.putLong(tally.bytes()).putLong(tally.checksum()).flip();
      return DefaultPayload.create(answer);
    }
  }
}
