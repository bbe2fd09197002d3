package io.millrace.handshake.quic;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * The end of a socket's pipeline: what earlier datagrams met on their way (an unreachable port),
 * and what the codec could not make sense of, says nothing about other handshakes and fills no log.
 */
final class LastHandler extends ChannelInboundHandlerAdapter {
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ReferenceCountUtil.release(message);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // See above.
  }
}
