package io.millrace.samples.bench.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.millrace.samples.bench.peer.BulkLoop;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the blocks of a loop as messages of a single call, whenever the call is ready. Event loop.
 */
final class GrpcBulkSender extends ClientCall.Listener<byte[]> {
  /** The call is ready while fewer bytes than this wait for flow control and the socket. */
  static final int READY_BYTES = 1 << 20;

  private final ClientCall<InputStream, byte[]> call;
  private final BulkLoop loop;
  private byte @Nullable [] answer;
  private boolean halfClosed;

  private GrpcBulkSender(ClientCall<InputStream, byte[]> call, BulkLoop loop) {
    this.call = call;
    this.loop = loop;
  }

  /** Begins the call; the call ends with the loop. */
  static void start(ManagedChannel channel, BulkLoop loop) {
    CallOptions options = CallOptions.DEFAULT.withOnReadyThreshold(READY_BYTES);
    ClientCall<InputStream, byte[]> call =
        channel.newCall(loop.isVerifying() ? BulkMethod.VERIFY : BulkMethod.COUNT, options);
    GrpcBulkSender sender = new GrpcBulkSender(call, loop);
    call.start(sender, new Metadata());
    call.request(2);
    sender.send();
  }

  @Override
  public void onReady() {
    send();
  }

  @Override
  public void onMessage(byte[] message) {
    answer = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    byte[] bytes = answer;
    if (!status.isOk() || bytes == null || bytes.length != BulkMethod.ANSWER_BYTES) {
      loop.onFailure(status.toString());
      return;
    }
    ByteBuffer counted = ByteBuffer.wrap(bytes);
    loop.onDelivered(counted.getLong(), counted.getLong());
  }

  private void send() {
    while (!halfClosed && call.isReady()) {
      if (loop.canSend()) {
        call.sendMessage(BulkMethod.message(loop.next()));
      } else {
        halfClosed = true;
        call.halfClose();
      }
    }
  }
}
