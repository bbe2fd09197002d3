package io.millrace.handshake.quic;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * The end of a socket's pipeline: errors of earlier datagrams on their way (an unreachable port),
 * and datagrams that the codec could not read, say nothing about other handshakes and fill no log.
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
