package io.millrace.handshake.quic;

import io.millrace.handshake.AdvertFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes the only frame that the other side of a stream sends. Event loop thread only. */
final class AdvertStream extends ChannelInboundHandlerAdapter {
  private final AdvertFrames frames = new AdvertFrames();
  private final Consumer<byte @Nullable []> onFrame;
  private boolean told;

  /** Tells {@code onFrame} once: the frame, or null if the bytes are no frame. */
  AdvertStream(Consumer<byte @Nullable []> onFrame) {
    this.onFrame = onFrame;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      if (!told) {
        byte[] frame = frames.take(bytes.nioBuffer());
        told = frame != null || frames.isMalformed();
        if (told) {
          onFrame.accept(frame);
        }
      }
    } finally {
      bytes.release();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // The connection tells how the connection ended.
    var _ = ctx.close();
  }
}
