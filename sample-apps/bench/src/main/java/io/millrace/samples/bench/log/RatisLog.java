package io.millrace.samples.bench.log;

import io.millrace.samples.log.bench.RunningLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.TimeDuration;

/**
 * Apache Ratis over its gRPC, with its default settings but for two. Elections are patient, as more
 * processes than cores are slow to answer. The client may have as many operations under way as
 * there are sessions.
 */
public final class RatisLog implements RunningLog {
  /** The terms of a commit. */
  public static final String TERMS =
      "Apache Ratis 3.2.0 over gRPC, plain; its segmented log forces waiting entries at once in"
          + " each replica, and a majority has forced a commit";

  private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(36, 320));
  private static final int OUTSTANDING = 16_384;
  private static final int ELECTION_SECONDS = 2;
  private static final long FIRST_ANSWER_SECONDS = 120;

  private final RivalReplicas replicas;
  private final RaftClient client;

  private RatisLog(RivalReplicas replicas) {
    this.replicas = replicas;
    RaftProperties properties = new RaftProperties();
    RaftClientConfigKeys.Async.setOutstandingRequestsMax(properties, OUTSTANDING);
    client =
        RaftClient.newBuilder()
            .setProperties(properties)
            .setRaftGroup(group(replicas.addresses()))
            .build();
  }

  /** Starts replicas and a client. */
  static RunningLog start(int count, Path directory) throws IOException, InterruptedException {
    RivalReplicas replicas = RivalReplicas.start(RatisLog.class, count, 1, directory);
    try {
      return new RatisLog(replicas);
    } catch (RuntimeException e) {
      replicas.close();
      throw e;
    }
  }

  /** Runs a replica. */
  public static void main(String[] args) {
    RivalReplicas.serve(args, Server::new);
  }

  private static RaftGroup group(List<String> addresses) {
    List<RaftPeer> peers = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      peers.add(RaftPeer.newBuilder().setId(id(i)).setAddress(addresses.get(i)).build());
    }
    return RaftGroup.valueOf(GROUP, peers);
  }

  private static RaftPeerId id(int replica) {
    return RaftPeerId.valueOf("replica-" + replica);
  }

  /**
   * The client of Ratis has one session, with operations in order; the first operation finds the
   * leader.
   */
  @Override
  public void openSessions(int count) throws IOException, InterruptedException {
    try {
      put(0, new byte[1], new byte[1]).get(FIRST_ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("no leader has answered", e);
    }
  }

  @Override
  public CompletableFuture<?> put(int session, byte[] key, byte[] value) {
    ByteString operation = UnsafeByteOperations.unsafeWrap(RivalReplicas.Values.put(key, value));
    return client.async().send(Message.valueOf(operation)).thenAccept(RatisLog::check);
  }

  private static void check(RaftClientReply reply) {
    if (!reply.isSuccess()) {
      throw new IllegalStateException("refused", reply.getException());
    }
  }

  @Override
  public ProcessHandle leader() throws IOException, InterruptedException {
    return replicas.leaderProcess();
  }

  @Override
  public void close() {
    replicas.closeWith(client);
  }

  private static final class Server implements RivalReplicas.Replica {
    private final RaftServer server;

    Server(int self, Path directory, List<String> addresses) throws IOException {
      RaftProperties properties = new RaftProperties();
      RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
      GrpcConfigKeys.Server.setPort(properties, RivalReplicas.port(addresses.get(self)));
      TimeDuration patience = TimeDuration.valueOf(ELECTION_SECONDS, TimeUnit.SECONDS);
      RaftServerConfigKeys.Rpc.setTimeoutMin(properties, patience);
      RaftServerConfigKeys.Rpc.setTimeoutMax(properties, patience.multiply(2));
      server =
          RaftServer.newBuilder()
              .setServerId(id(self))
              .setGroup(group(addresses))
              .setProperties(properties)
              .setStateMachine(new Puts())
              .setOption(RaftStorage.StartupOption.FORMAT)
              .build();
      server.start();
    }

    @Override
    public boolean leads() {
      try {
        return server.getDivision(GROUP).getInfo().isLeaderReady();
      } catch (IOException e) {
        return false;
      }
    }
  }

  private static final class Puts extends BaseStateMachine {
    private final RivalReplicas.Values values = new RivalReplicas.Values();

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
      var entry = transaction.getLogEntry();
      values.apply(entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
      updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
      return CompletableFuture.completedFuture(Message.EMPTY);
    }
  }
}
